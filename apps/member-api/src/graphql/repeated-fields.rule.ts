import { GraphQLError, Kind, visit } from 'graphql';
import type { ASTVisitor, DocumentNode, SelectionSetNode, ValidationContext } from 'graphql';
import { LIMITS } from '#src/selection/limits.policy.js';

/**
 * Whether fields can be merged is found out by comparing each with each: a thousand tokens of the same field would keep
 * the process busy for a fifth of a second. No client repeats itself so often, so such a document is refused before the
 * rules that compare see it. The only way to stop them is to report until validation gives up (`maxErrors`); of what was
 * reported the caller sees one.
 */
export function repeatedFieldsRule(context: ValidationContext): ASTVisitor {
  return {
    Document(document: DocumentNode): void {
      if (!repeatsTooOften(document)) return;
      const message = `A selection has the same field at most ${LIMITS.repeats} times`;
      for (let n = 0; n <= VALIDATION_ERRORS; n += 1) context.reportError(new GraphQLError(message));
    },
  };
}

/** After so many errors of a document nobody reads on. */
export const VALIDATION_ERRORS = 20;

interface Shown {
  readonly message: string;
  readonly locations?: unknown;
  readonly path?: unknown;
}

/** Errors, each once. */
export function once<E extends Shown>(errors: readonly E[]): E[] {
  const known = new Set<string>();
  return errors.filter(({ message, locations, path }) => {
    const key = JSON.stringify([message, locations, path]);
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}

function repeatsTooOften(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    SelectionSet: (set: SelectionSetNode) => {
      const counts = new Map<string, number>();
      for (const node of set.selections) {
        if (node.kind !== Kind.FIELD) continue;
        const key = node.alias?.value ?? node.name.value;
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        if (count > LIMITS.repeats) found = true;
      }
    },
  });
  return found;
}
