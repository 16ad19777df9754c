import type { EntityManager } from 'typeorm';
import { lockForDeletion } from '#src/references/lock-for-deletion.js';
import { lostMembers, requireUnordered } from './ordered-item.policy.js';
import type { PricedTable } from './ordered-item.policy.js';
import { pendingLines } from './pending-lines.js';

interface OrderedRow {
  readonly site_id: string;
  readonly id: string;
}

/**
 * Keeps what pending orders name and buy of a locked row: its price, its external id and what it gives. Locks the row
 * as a deletion does: it waits for transactions that record such orders, and sees their lines.
 *
 * @throws `resource_in_use`
 */
export async function keepOrdered(
  tx: EntityManager,
  table: PricedTable,
  row: OrderedRow,
  changes: object,
): Promise<void> {
  const members = lostMembers(table, row, changes);
  if (members.length === 0) return;
  await lockForDeletion(tx, table, row);
  const text = `select ${pendingLines('= $2')} as ordered`;
  const [found] = await tx.query<{ ordered: boolean }[]>(text, [row.site_id, row.id]);
  requireUnordered(table, members, found?.ordered === true);
}
