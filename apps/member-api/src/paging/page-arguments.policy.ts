import { GraphQLError } from 'graphql';

export const PAGE = { default: 20, max: 100 } as const;

/** Which page of a connection is meant, cursors not yet read. */
export interface PageArguments {
  readonly size: number;
  /** From the end: `last` was given. */
  readonly backward: boolean;
  readonly after: string | null;
  readonly before: string | null;
}

/**
 * Reads the coerced arguments of a connection field. Sizes are refused, never clamped: a client that asked for 500 and
 * got 100 would take them for all.
 *
 * @throws GraphQLError `FIRST_OUT_OF_RANGE` or `BAD_USER_INPUT`.
 */
export function readPageArguments(given: Readonly<Record<string, unknown>>): PageArguments {
  const first = integer(given['first']);
  const last = integer(given['last']);
  if (first !== null && last !== null) {
    throw new GraphQLError('Give first or last, not both', { extensions: { code: 'BAD_USER_INPUT' } });
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
  throw new GraphQLError(`${name} must be between 1 and ${PAGE.max}`, { extensions: { code: 'FIRST_OUT_OF_RANGE' } });
}

const integer = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
