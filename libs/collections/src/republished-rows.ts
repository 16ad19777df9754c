import type { EntityEvents } from '@lyceum/contracts';
import type { NewEvent, Republication } from '@lyceum/messaging';
import type { RowMapping } from '@lyceum/platform';
import type { SiteRow } from './site-row.js';

/** Reads the rows of a table for a republication. */
export function batchesOf<Row extends SiteRow, E extends EntityEvents>(
  rows: RowMapping<Row>,
  select: string,
  eventFor: (row: Row) => NewEvent<E>,
): Republication<E>['batch'] {
  return async (tx, [site_id, id], limit) => {
    const range = `from ${rows.table} where (site_id, id) > ($1, $2) order by site_id, id limit $3`;
    // A statement computes values with the state from before it waits for a lock: they would be older than the row.
    await tx.query(`select 1 ${range} for share`, [site_id, id, limit]);
    const found = await tx.query<Row[]>(`select ${select} ${range}`, [site_id, id, limit]);
    return found.map((raw) => {
      const row = rows.hydrate(raw);
      return { key: [row.site_id, row.id], event: eventFor(row) };
    });
  };
}
