import type { EntityManager } from 'typeorm';

export interface Batch {
  readonly table: string;
  /** SQL: a condition on rows of the table, which it calls `t`. */
  readonly where: string;
  readonly limit: number;
}

/**
 * Deletes a batch of rows: `statement_timeout` limits a statement. A found row that another transaction changed
 * meanwhile stays, so a caller that deletes all rows repeats until no row is found, not until none is deleted.
 */
export async function deleteBatch(
  tx: EntityManager,
  { table, where, limit }: Batch,
  values: readonly unknown[],
): Promise<{ readonly found: number; readonly deleted: number }> {
  // Partitions have rows of the same ctid, so the condition holds for both parts.
  const text = `with found as materialized (select t.ctid as place from ${table} t where ${where} limit ${limit}),
    deleted as (
      delete from ${table} t where t.ctid = any (array(select place from found)) and ${where} returning 1)
    select (select count(*)::int from found) as found, (select count(*)::int from deleted) as deleted`;
  const [row] = await tx.query<{ found: number; deleted: number }[]>(text, [...values]);
  if (row === undefined) throw new Error('A statement of two numbers gave none');
  return row;
}
