/** A row of a table, by column; a column of type jsonb holds its text. */
export interface Row {
  readonly [column: string]: string | number | boolean | null | readonly string[];
}
