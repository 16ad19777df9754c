import type { EntityManager } from 'typeorm';

type Table =
  | 'categories'
  | 'consulting_services'
  | 'coupons'
  | 'course_plans'
  | 'courses'
  | 'digital_products'
  | 'event_tickets'
  | 'lecturers';

/**
 * Waits for transactions that refer to a row of a site, which lock its key. The deletion of the row sees their rows, as
 * does a change of what they refer to.
 */
export async function lockForDeletion(
  tx: EntityManager,
  table: Table,
  { site_id, id }: { readonly site_id: string; readonly id: string },
): Promise<void> {
  await tx.query(`select 1 from ${table} where site_id = $1 and id = $2 for update`, [site_id, id]);
}
