import type { ListedTool } from './catalog.policy.js';

type Described = Pick<ListedTool, 'name' | 'description' | 'inputSchema' | 'outputSchema'>;

/** A sentence, or a clause that ends with a semicolon. */
const CLAUSES = /(?<=[.;])\s+/;

/** Words that can be tool names. */
const WORDS = /[a-z0-9_]+/g;

/**
 * Omits the clauses of a tool's texts that name tools missing from the list: clients refuse to call unlisted tools, and
 * a model would try. Returns the same object when nothing changes.
 */
export function describedFor<T extends Described>(tool: T, missing: ReadonlySet<string>): T {
  if (!names(tool).some((name) => missing.has(name))) return tool;
  const inputSchema = rewritten(tool.inputSchema, missing);
  const outputSchema = tool.outputSchema === undefined ? {} : { outputSchema: rewritten(tool.outputSchema, missing) };
  return { ...tool, description: withoutClauses(tool.description, missing), inputSchema, ...outputSchema };
}

export function withoutClauses(text: string, missing: ReadonlySet<string>): string {
  const clauses = text.split(CLAUSES);
  const known = clauses.filter((clause) => !clause.match(WORDS)?.some((word) => missing.has(word)));
  if (known.length === clauses.length) return text;
  const kept = known.join(' ').replace(/;$/, text.endsWith('.') ? '.' : '');
  return kept.charAt(0).toUpperCase() + kept.slice(1);
}

const known = new WeakMap<Described, readonly string[]>();

/** The words of all texts of a tool, computed once per version. */
function names(tool: Described): readonly string[] {
  const found = known.get(tool);
  if (found !== undefined) return found;
  const texts = [tool.description, ...descriptions(tool.inputSchema), ...descriptions(tool.outputSchema)];
  const words = [...new Set(texts.flatMap((text) => text.match(WORDS) ?? []))];
  known.set(tool, words);
  return words;
}

function descriptions(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'description' && typeof value === 'string' ? [value] : descriptions(value),
  );
}

function rewritten<S>(schema: S, missing: ReadonlySet<string>): S {
  if (Array.isArray(schema)) return schema.map((one: unknown) => rewritten(one, missing)) as S;
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]: [string, unknown]) => [
      key,
      key === 'description' && typeof value === 'string' ? withoutClauses(value, missing) : rewritten(value, missing),
    ]),
  ) as S;
}
