import { objectText } from './column-text.js';
import type { ColumnText } from './column-text.js';

/** The columns of the lines of a file, by their names in it. */
export interface LineColumns {
  /** SQL of tables that the columns need beside that of the row. They have one row together. `$1` is the site. */
  readonly from?: string;
  readonly columns: Readonly<Record<string, ColumnText>>;
}

/** SQL of the line of a row: JSON Lines, or CSV as `csvText` writes it. Null: only JavaScript can write the row. */
export function lineSql(format: 'csv' | 'jsonl', { from, columns }: LineColumns): string {
  const cells = Object.values(columns).map(({ cell }) => cell);
  const [text, end] =
    format === 'jsonl' ? [objectText(columns), String.raw`\n`] : [cells.join(` || ',' || `), String.raw`\r\n`];
  const line = `${text} || E'${end}'`;
  return from === undefined ? line : `(select ${line} from ${from})`;
}
