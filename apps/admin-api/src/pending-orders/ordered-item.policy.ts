import { types } from 'node:util';
import { COURSE_PLAN_INTERVALS } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';

/** Items of one price, by their table, with their name and the members whose smaller values give a buyer less. */
export const PRICED = {
  course_plans: { name: 'plan', gives: ['interval', 'interval_count', 'access_days', 'access_ends_at'] },
  consulting_services: { name: 'consulting service', gives: ['sessions_included', 'validity_days'] },
  digital_products: { name: 'digital product', gives: ['access_days'] },
  event_tickets: { name: 'ticket', gives: [] },
} as const satisfies Record<string, { readonly name: string; readonly gives: readonly string[] }>;
export type PricedTable = keyof typeof PRICED;

/** Members that orders name. A row without a value has none to take away. */
const NAMED = ['price', 'external_id'];

/** Says of a description of an operation what stays. */
export const keptWhileOrdered = (item: string): string =>
  `While a pending order names the ${item}, its price and its \`external_id\` stay, and it gives no less.`;

/** Returns the changed members that take away from a pending order what it names or buys. */
export function lostMembers(table: PricedTable, row: object, changes: object): readonly string[] {
  const known = valuesOf(row);
  const named = NAMED.filter((member) => valuesOf(changes).has(member) && known.get(member) !== null);
  return [...named, ...lessened(PRICED[table].gives, row, changes)];
}

/** Returns the members whose changes give less. Null is without a limit. */
export function lessened(members: readonly string[], row: object, changes: object): readonly string[] {
  const [known, next] = [valuesOf(row), valuesOf(changes)];
  return members.filter((member) => next.has(member) && extentOf(next.get(member)) < extentOf(known.get(member)));
}

/** A payment may be on its way for what a pending order names. @throws `resource_in_use` */
export function requireUnordered(table: PricedTable, members: readonly string[], isOrdered: boolean): void {
  if (!isOrdered) return;
  const { name } = PRICED[table];
  const detail = `A pending order names the ${name}`;
  throw new ApiError('resource_in_use', `${detail}, so it keeps what the order buys`, {
    errors: members.map((member) => ({ pointer: `/${member}`, code: 'resource_in_use', detail })),
    hint: `Sell another ${name}, or wait until the order is no longer pending`,
  });
}

function valuesOf(row: object): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>(Object.entries(row));
}

/** A number that is larger the more a value gives: an interval, a count or an instant. */
function extentOf(value: unknown): number {
  if (value === null) return Infinity;
  if (types.isDate(value)) return value.getTime();
  return typeof value === 'number' ? value : COURSE_PLAN_INTERVALS.findIndex((interval) => interval === value);
}
