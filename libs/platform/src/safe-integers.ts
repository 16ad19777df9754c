import pg from 'pg';

type Parser = (text: string) => unknown;

const parserOf: (oid: number, format?: 'text' | 'binary') => Parser = pg.types.getTypeParser.bind(pg.types);

/**
 * How every connection parses `bigint`: to a number that is exact, or not at all. The text that `pg` gives by default
 * would have to be converted, and checked, at each call.
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
