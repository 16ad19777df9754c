import { ApiError } from '@lyceum/errors';

/** Names of what an order sells at one price, by the table. */
export const PRICED = {
  course_plans: 'plan',
  consulting_services: 'consulting service',
  digital_products: 'digital product',
  event_tickets: 'ticket',
} as const;
export type PricedTable = keyof typeof PRICED;

/** True when the changes take away a price that orders name. A row without a price has none to take away. */
export function takesPrice({ price }: { readonly price: unknown }, changes: object): boolean {
  return 'price' in changes && price !== null;
}

/** A payment may be on its way at the price of a pending order. @throws `resource_in_use` */
export function requireUnordered(table: PricedTable, isOrdered: boolean): void {
  if (!isOrdered) return;
  const detail = `A pending order names the ${PRICED[table]}`;
  throw new ApiError('resource_in_use', `${detail}, so its price stays`, {
    errors: [{ pointer: '/price', code: 'resource_in_use', detail }],
    hint: `Sell another ${PRICED[table]} at the new price, or wait until the order is no longer pending`,
  });
}
