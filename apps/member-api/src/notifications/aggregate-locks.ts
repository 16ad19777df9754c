import type { EntityManager } from 'typeorm';

/** Locks aggregates by id until the transaction ends, in one order to avoid deadlocks. */
export async function lockAggregates(ids: readonly string[], tx: EntityManager): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(lock) from (
       select distinct hashtextextended(id, 0) as lock from unnest($1::text[]) as aggregate (id) order by lock) as locks`,
    [ids],
  );
}
