import pg from 'pg';

type Parser = (text: string) => unknown;

const parserOf: (oid: number, format?: 'text' | 'binary') => Parser = pg.types.getTypeParser.bind(pg.types);
const parseAnyInstant = parserOf(pg.types.builtins.TIMESTAMPTZ);

/**
 * How the columns of every connection become values. `bigint` is an exact number: by default `pg` returns text, which
 * each caller would have to convert and check.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (oid === pg.types.builtins.INT8) return parseSafeInteger;
    if (oid === pg.types.builtins.TIMESTAMPTZ && format !== 'binary') return parseInstant;
    return parserOf(oid, format);
  },
};

/** @throws RangeError */
function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The bigint ${text} is not a safe integer`);
  return value;
}

/** The usual form. The others are infinity, BC, years of five digits, and offsets with minutes. */
const INSTANT = /^\d{4}-\d\d-\d\d [\d:.]+[+-]\d\d$/;

/**
 * Reads instants as ISO 8601, which `Date` parses in half of the time of the default parser. A page has 60 instants.
 */
function parseInstant(text: string): unknown {
  return INSTANT.test(text) ? new Date(`${text.slice(0, 10)}T${text.slice(11)}:00`) : parseAnyInstant(text);
}
