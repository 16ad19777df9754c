import { createHash } from 'node:crypto';
import { ApiError } from '@lyceum/errors';

/** The hidden field with the digests of the values that a form was made from. */
export const FORM_BASE = 'base';

/** A list is a set: its order does not count. Short, because forms are limited in size. */
function digest(value: unknown): string {
  const compared = Array.isArray(value) ? value.map(String).toSorted((a, b) => (a < b ? -1 : 1)) : value;
  const text = JSON.stringify(compared) ?? '';
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** The value of the hidden field for the named fields. */
export function formBase<T extends object>(values: T, names: readonly (keyof T & string)[]): string {
  return names.map((name) => `${name}:${digest(values[name])}`).join(' ');
}

function digestsOf(base: string | undefined): Map<string, string> {
  return new Map(
    (base ?? '').split(' ').map((entry): [string, string] => {
      const [name = '', value = ''] = entry.split(':', 2);
      return [name, value];
    }),
  );
}

/**
 * For a form that decides about values without sending them. `current` is read under the lock of its row.
 *
 * @throws `precondition_failed` if a named value differs from the one that the form was made from, or is not in `base`
 */
export function requireUnchanged<T extends object>(
  base: string | undefined,
  current: Readonly<T>,
  names: readonly (keyof T & string)[],
): void {
  const shown = digestsOf(base);
  if (names.some((name) => shown.get(name) !== digest(current[name]))) throw staleForm();
}

/**
 * The fields that a form changes, so that a stale form does not restore the others. `current` is read under the lock
 * of its row. A field that already has the value of the form is left out.
 *
 * @throws `precondition_failed` if a field of the form has changed to another value since, or `base` is incomplete
 */
export function formChanges<T extends object>(base: string | undefined, given: T, current: Readonly<T>): Partial<T> {
  const shown = digestsOf(base);
  const changes: Partial<T> = {};
  for (const name of Object.keys(given) as (keyof T & string)[]) {
    const [before, sent, stored] = [shown.get(name), digest(given[name]), digest(current[name])];
    if (before === undefined) throw staleForm();
    if (sent === before || sent === stored) continue;
    if (stored !== before) throw staleForm();
    changes[name] = given[name];
  }
  return changes;
}

export const isStaleForm = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'precondition_failed';

export const staleForm = (): ApiError =>
  new ApiError('precondition_failed', 'The values of the form were changed since');
