/** A row of a table, by column. Columns of type jsonb are text. */
export interface Row {
  readonly [column: string]: string | number | boolean | null | readonly string[];
}
