import { Kind, visit } from 'graphql';
import type { ASTVisitor, DocumentNode, SelectionSetNode, ValidationContext } from 'graphql';
import { LIMITS } from '#src/selection/limits.policy.js';
import { stopValidation } from './apollo.internals.js';

/**
 * graphql-js compares each field of a selection with every other one. A document that repeats one field a thousand
 * times takes a fifth of a second. This rule rejects such a document before the comparing rules run. The client gets
 * one of the reported errors.
 */
export function repeatedFieldsRule(context: ValidationContext): ASTVisitor {
  return {
    Document(document: DocumentNode): void {
      if (!repeatsTooOften(document)) return;
      stopValidation(context, `A selection has the same field at most ${LIMITS.repeats} times`);
    },
  };
}

interface Shown {
  readonly message: string;
  readonly locations?: unknown;
  readonly path?: unknown;
}

/** Removes duplicate errors. */
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
