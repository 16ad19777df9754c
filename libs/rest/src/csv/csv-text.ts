import { stringify } from 'csv-stringify/sync';

/**
 * Options of CSV lines. A value that a spreadsheet would run as a formula gets the prefix `'`. Objects and lists become
 * JSON, and null becomes empty.
 */
export function csvOptions(columns: readonly string[]) {
  return { columns: [...columns], escape_formulas: true, cast: { boolean: String } };
}

/** Returns objects as lines of CSV (RFC 4180), after a line with the names of the columns if `header`. */
export function csvText(columns: readonly string[], objects: readonly object[], header: boolean): string {
  return stringify([...objects], { ...csvOptions(columns), header, record_delimiter: 'windows' });
}
