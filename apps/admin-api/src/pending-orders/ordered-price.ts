import type { EntityManager } from 'typeorm';
import { lockForDeletion } from '#src/references/lock-for-deletion.js';
import { requireUnordered, takesPrice } from './ordered-price.policy.js';
import type { PricedTable } from './ordered-price.policy.js';
import { pendingLines } from './pending-lines.js';

interface PricedRow {
  readonly site_id: string;
  readonly id: string;
  readonly price: unknown;
}

/**
 * Keeps the price of a locked row while a pending order names it. Locks the row as a deletion does: it waits for
 * transactions that record such orders, and sees their lines.
 *
 * @throws `resource_in_use`
 */
export async function keepOrderedPrice(
  tx: EntityManager,
  table: PricedTable,
  row: PricedRow,
  changes: object,
): Promise<void> {
  if (!takesPrice(row, changes)) return;
  await lockForDeletion(tx, table, row);
  const text = `select ${pendingLines('= $2')} as ordered`;
  const [found] = await tx.query<{ ordered: boolean }[]>(text, [row.site_id, row.id]);
  requireUnordered(table, found?.ordered === true);
}
