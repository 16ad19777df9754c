import { summaryOf } from '@lyceum/errors';
import { codedError } from '#src/schema/coded-error.js';

export const PAGE = { default: 20, max: 100 } as const;

/** The requested page of a connection, with cursors not yet verified. */
export interface PageArguments {
  readonly size: number;
  /** True with `last`: the page is read from the end. */
  readonly backward: boolean;
  readonly after: string | null;
  readonly before: string | null;
}

/**
 * Reads the coerced arguments of a connection field. Sizes are rejected, never clamped: a client that requested 500 and
 * got 100 would take these for the whole list.
 *
 * @throws GraphQLError `FIRST_OUT_OF_RANGE` or `VALIDATION_FAILED`.
 */
export function readPageArguments(given: Readonly<Record<string, unknown>>): PageArguments {
  const first = integer(given['first']);
  const last = integer(given['last']);
  if (first !== null && last !== null) {
    const message = 'Give first or last, not both';
    throw codedError('validation_failed', message, [{ parameter: 'last', code: 'invalid_value', detail: message }]);
  }
  return {
    size: inRange(last === null ? 'first' : 'last', last ?? first ?? PAGE.default),
    backward: last !== null,
    after: text(given['after']),
    before: text(given['before']),
  };
}

function inRange(name: string, size: number): number {
  if (size >= 1 && size <= PAGE.max) return size;
  const code = size < 1 ? 'too_small' : 'too_large';
  const errors = [{ parameter: name, code, detail: `Between 1 and ${PAGE.max}` }] as const;
  throw codedError('first_out_of_range', summaryOf(errors, ''), errors);
}

const integer = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
