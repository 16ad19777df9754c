import type { EntityManager } from 'typeorm';

interface NewestTable {
  readonly table: string;
  /** Columns of the primary key. */
  readonly key: readonly string[];
  /** Columns that order two states of a row; default `epoch` and `version`. */
  readonly newest?: readonly string[];
}

/** Values by column; all rows of one statement have the same columns. */
type Row = Readonly<Record<string, unknown>>;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const list = (columns: readonly string[], of = ''): string => columns.map((one) => `${of}${quoted(one)}`).join(', ');

/**
 * Upserts the states of events, many rows per statement. An older state never overwrites a newer one, and of two states
 * of the same row the newer one wins. Rows are written in key order, so concurrent writers do not deadlock.
 */
export async function writeNewest(manager: EntityManager, copy: NewestTable, rows: readonly Row[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const { table, key, newest = ['epoch', 'version'] } = copy;
  const columns = Object.keys(first);
  const updated = columns.filter((column) => !key.includes(column));
  await manager.query(
    `INSERT INTO ${quoted(table)} AS old (${list(columns)})
     SELECT DISTINCT ON (${list(key)}) ${list(columns)} FROM jsonb_populate_recordset(NULL::${quoted(table)}, $1)
      ORDER BY ${list(key)}, ${newest.map((column) => `${quoted(column)} DESC`).join(', ')}
     ON CONFLICT (${list(key)}) DO UPDATE
       SET ${updated.map((column) => `${quoted(column)} = excluded.${quoted(column)}`).join(', ')}
       WHERE (${list(newest, 'old.')}) < (${list(newest, 'excluded.')})`,
    [JSON.stringify(rows, wellFormed)],
  );
}

/**
 * Locks rows until the transaction ends, in key order. Creates missing ones with the given columns; they precede each
 * event. A state that many events write one row each, or one row together, needs it: their transactions would not see
 * each other's rows.
 */
export async function lockRows(
  manager: EntityManager,
  { table, key }: Pick<NewestTable, 'table' | 'key'>,
  rows: readonly Row[],
): Promise<void> {
  const stateless = rows.map((row) => ({ ...row, epoch: 0, version: 0 }));
  const [first] = stateless;
  if (first === undefined) return;
  const columns = list(Object.keys(first));
  await manager.query(
    `INSERT INTO ${quoted(table)} AS old (${columns})
     SELECT DISTINCT ON (${list(key)}) ${columns} FROM jsonb_populate_recordset(NULL::${quoted(table)}, $1)
      ORDER BY ${list(key)}
     ON CONFLICT (${list(key)}) DO UPDATE SET "version" = old."version" WHERE false`,
    [JSON.stringify(stateless, wellFormed)],
  );
}

/** PostgreSQL rejects lone surrogates in JSON, so they become the replacement character. */
function wellFormed(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
