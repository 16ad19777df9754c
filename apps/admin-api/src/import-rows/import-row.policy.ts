import { ApiError } from '@lyceum/errors';
import type { FieldErrorCode } from '@lyceum/errors';
import { ruleOf } from './import-mode.js';
import type { ImportKeys, ImportMode } from './import-mode.js';

/** Why a row is not imported. */
export interface RowRefusal {
  readonly pointer: string;
  readonly code: FieldErrorCode;
  readonly detail: string;
}

interface Refused {
  readonly kind: 'refused';
  readonly refusal: RowRefusal;
}

/** The result of a row. */
export type RowOutcome = { readonly kind: 'created' | 'updated' | 'skipped' } | Refused;

/** The same, with what is to be written. */
export type RowDecision<Found, Values, Changes = Partial<Found>> =
  | { readonly kind: 'created'; readonly values: Values }
  | { readonly kind: 'updated'; readonly found: Found; readonly changes: Changes }
  | { readonly kind: 'skipped'; readonly found: Found }
  | Refused;

/** The rules of one collection for rows. */
export interface RowRules<Found, Values, Changes = Partial<Found>> {
  /** Name of one object in messages. */
  readonly one: string;
  readonly keys: ImportKeys;
  /** The values of a new object. @throws ApiError for an object that is refused */
  readonly create: () => Values;
  /** The changes of an object; undefined: it has all values already. @throws ApiError for a change that is refused */
  readonly change: (found: Found) => Changes | undefined;
}

/**
 * Decides on a row by the rules of a single creation and of a single patch.
 *
 * @param holders the objects that have the unique values of the row, by the name of the key
 */
export function decideRow<Found extends { readonly id: string }, Values, Changes = Partial<Found>>(
  holders: Readonly<Record<string, Found | undefined>>,
  mode: ImportMode,
  { one, keys, create, change }: RowRules<Found, Values, Changes>,
): RowDecision<Found, Values, Changes> {
  const { by, creates } = ruleOf(mode);
  const found = by === null ? undefined : holders[by];
  const [first, words] = [(name: string) => `/${keys[name]?.[0]}`, (name: string) => wordsOf(keys[name] ?? [])];
  if (found === undefined && !creates && by !== null) {
    return refused(first(by), 'not_found', `No ${one} of the site has this ${words(by)}`);
  }
  const taken = Object.keys(holders).find((name) => (holders[name]?.id ?? found?.id) !== found?.id);
  if (taken !== undefined) return refused(first(taken), 'already_exists', `Another ${one} has this ${words(taken)}`);
  try {
    if (found === undefined) return { kind: 'created', values: create() };
    const changes = change(found);
    return changes === undefined ? { kind: 'skipped', found } : { kind: 'updated', found, changes };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return refusedBy(error);
  }
}

export function refused(pointer: string, code: FieldErrorCode, detail: string): Refused {
  return { kind: 'refused', refusal: { pointer, code, detail } };
}

/** The first error of a field says more than the whole one. */
export function refusedBy(error: ApiError): Refused {
  const [{ pointer = '', code, detail } = { pointer: '', code: error.code, detail: error.message }] = error.errors;
  return refused(pointer, code, detail);
}

/** The members of a key in a sentence. */
export function wordsOf(members: readonly string[]): string {
  return members.map((member) => member.replaceAll('_', ' ')).join(' and ');
}
