import { stringify } from 'csv-stringify/sync';

/** A reader ends a line at CR or LF alone, too. */
const LINE_BREAK = /[\r\n]/;
const OPTIONS = {
  escape_formulas: true,
  // `escape_formulas` leaves LF out, and a reader may take CR for LF.
  cast: { boolean: String, string: (text: string) => (text.startsWith('\n') ? `'${text}` : text) },
  quoted_match: LINE_BREAK,
  record_delimiter: 'windows',
} as const;

/**
 * Returns objects as lines of CSV (RFC 4180), after a line with the names of the columns if `header`. A value that a
 * spreadsheet would run as a formula gets the prefix `'`. Objects and lists become JSON, and null becomes empty.
 */
export function csvText(columns: readonly string[], objects: readonly object[], header: boolean): string {
  return stringify([...objects], { ...OPTIONS, columns: [...columns], header });
}
