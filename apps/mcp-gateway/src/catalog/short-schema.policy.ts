import { isObject } from '@lyceum/platform';
import type { ListedTool } from './catalog.policy.js';

type Schema = Readonly<Record<string, unknown>>;

/**
 * Shortens the schemas of the core set, which a model reads before its first call. Arguments keep their names, texts,
 * types and upper limits. The output schema of a list names the fields of its items; other tools return one object, and
 * their output schemas are left out, as icons are. Lists by toolsets have the whole schemas.
 */
export function shortened(tool: ListedTool): ListedTool {
  const known = made.get(tool);
  if (known !== undefined) return known;
  const { outputSchema, icons: _icons, ...rest } = tool;
  const fields: unknown = outputSchema?.['properties'];
  const isList = outputSchema !== undefined && isObject(fields) && 'items' in fields;
  const short: ListedTool = {
    ...rest,
    short: true,
    inputSchema: shortInput(tool.inputSchema) as ListedTool['inputSchema'],
    ...(isList ? { outputSchema: namesOf(outputSchema) as ListedTool['inputSchema'] } : {}),
  };
  made.set(tool, short);
  return short;
}

/** Computed once per version of a tool. */
const made = new WeakMap<ListedTool, ListedTool>();

/** An argument that breaks a rule without a place in the list is refused with the rule in words. */
function shortInput(schema: unknown, above?: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((one: unknown) => shortInput(one, above));
  if (!isObject(schema)) return schema;
  const { description } = schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]) => {
      if (keyword === '$schema' || (keyword === 'minLength' && value === 1)) return [];
      if (keyword === 'pattern' && (description ?? above) !== undefined) return [];
      // The alternatives of a value repeat its description.
      if (keyword === 'description' && value === above) return [];
      if (keyword === 'properties') return [[keyword, mapValues(value, (one) => shortInput(one))]];
      if (keyword === 'enum' || keyword === 'default') return [[keyword, value]];
      return [[keyword, shortInput(value, keyword === 'anyOf' ? description : undefined)]];
    }),
  );
}

/** The fields of a result, and those of the objects in its lists. */
function namesOf({ properties }: Schema): Schema {
  return { type: 'object', properties: mapValues(properties, listedNamesOf) };
}

function listedNamesOf(schema: unknown): Schema {
  const items = isObject(schema) ? schema['items'] : undefined;
  return isObject(items) && isObject(items['properties']) ? { type: 'array', items: namesOf(items) } : {};
}

function mapValues(object: unknown, map: (value: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(isObject(object) ? object : {}).map(([name, value]) => [name, map(value)]));
}
