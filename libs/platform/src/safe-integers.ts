import pg from 'pg';

type Parser = (text: string) => unknown;

const parserOf: (oid: number, format?: 'text' | 'binary') => Parser = pg.types.getTypeParser.bind(pg.types);

/**
 * Parses `bigint` to an exact number on every connection, or throws. By default `pg` returns text, which each caller
 * would have to convert and check.
 */
export const safeIntegers: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? parseSafeInteger : parserOf(oid, format)),
};

/** @throws RangeError */
function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The bigint ${text} is not a safe integer`);
  return value;
}
