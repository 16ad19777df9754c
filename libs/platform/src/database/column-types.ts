import pg from 'pg';

type Parser = (text: string) => unknown;

const parserOf: (oid: number, format?: 'text' | 'binary') => Parser = pg.types.getTypeParser.bind(pg.types);
const parseAnyInstant = parserOf(pg.types.builtins.TIMESTAMPTZ);
/** `text[]`, `uuid[]` (`pg_type.oid`). `pg` does not name them. */
const [TEXT_ARRAY, UUID_ARRAY] = [1009, 2951];
const TEXT_ARRAYS: ReadonlySet<number> = new Set([TEXT_ARRAY, UUID_ARRAY]);
const parseAnyTexts = parserOf(TEXT_ARRAY);

/**
 * How the columns of every connection become values. `bigint` is an exact number: by default `pg` returns text, which
 * each caller would have to convert and check.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (oid === pg.types.builtins.INT8) return parseSafeInteger;
    if (oid === pg.types.builtins.TIMESTAMPTZ && format !== 'binary') return parseInstant;
    if (TEXT_ARRAYS.has(oid) && format !== 'binary') return parseTexts;
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

/** One dimension. PostgreSQL quotes elements that are empty or contain white space, braces, commas, `"` or `\`. */
const PLAIN_ARRAY = /^\{[^{"]*\}$/;

/**
 * Splits arrays whose elements are not quoted, in a quarter of the time of the default parser, which reads characters.
 * A page of 20 courses has 60 arrays.
 */
function parseTexts(text: string): unknown {
  if (text === '{}') return [];
  return PLAIN_ARRAY.test(text) && !text.includes('NULL') ? text.slice(1, -1).split(',') : parseAnyTexts(text);
}
