/** Members by the names of columns of the file. Null: the column is left out. */
export type ColumnMapping = Readonly<Record<string, string | null>>;
