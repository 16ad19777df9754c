import { stringify } from 'csv-stringify/sync';

/**
 * Returns objects as lines of CSV (RFC 4180), after a line with the names of the columns if `header`. A value that a
 * spreadsheet would run as a formula gets the prefix `'`. Objects and lists become JSON, and null becomes empty.
 */
export function csvText(columns: readonly string[], objects: readonly object[], header: boolean): string {
  const cast = { boolean: String };
  const options = { columns: [...columns], escape_formulas: true, cast, header, record_delimiter: 'windows' } as const;
  return stringify([...objects], options);
}
