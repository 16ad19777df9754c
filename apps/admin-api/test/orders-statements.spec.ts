import { randomUUID } from 'node:crypto';
import { Shop } from './shop.js';
import type { Line } from './shop.js';
import { roundTripsOf } from './statements.js';

const shop = Shop.ofFile();

/** The statement that writes the lines, both kinds of events, the log of activity and the key. */
const LAST = 'outbox_with_idempotency_keys_with_lines_with_activity';

/** Names of the statements of a recorded order by round trip. Hashes of generated statements are left out. */
async function roundTrips(order: object, last = LAST): Promise<readonly string[]> {
  const trips = await roundTripsOf(shop.api, last, () => shop.checkout.record({ ...order }));
  return trips.map((names) => names.map((name) => name.replace(/_[0-9a-f]{24}$/, '').toLowerCase()).join(' + '));
}

async function orderOf(lines: readonly Line[], given: Record<string, unknown> = {}) {
  return shop.checkout.order(await shop.checkout.newStudent(), lines, given);
}

const PAID = [
  'start transaction + idempotency_keys_take',
  'students + order_items_course_plan',
  'orders',
  'enrollments_lock + course_plans_terms',
  'enrollments_write',
  `${LAST} + commit`,
];

it.each([1, 3])('records a paid order of %i course plans in six round trips', async (count) => {
  const lines: Line[] = [];
  for (let index = 0; index < count; index += 1) lines.push((await shop.coursePlan()).line);
  const write = count === 1 ? 'enrollments_write_new' : 'enrollments_write';
  expect(await roundTrips(await orderOf(lines))).toEqual(PAID.with(PAID.indexOf('enrollments_write'), write));
});

const SEATS = [
  'events_lock_of_tickets',
  'event_registrations_of_students + event_tickets_terms',
  'event_registrations_insert',
  'events_count + event_tickets_count',
];
const SESSIONS = ['consulting_services_sale_terms', 'consulting_purchases'];
const PRODUCTS = [
  'digital_products_lock + digital_product_grants_given',
  'digital_product_grants_lock_active',
  'digital_product_grants',
  'digital_product_grant_sources_add + digital_products_count',
];

const MIXED = [
  'start transaction + idempotency_keys_take',
  'orders',
  'events_lock_of_tickets',
  'enrollments_lock + course_plans_terms',
  ...SESSIONS,
  'enrollments_write',
  ...PRODUCTS,
  ...SEATS,
  `${LAST} + commit`,
];

it.each([1, 13])(
  'records a paid order of %i plans, products, tickets and sessions each in 17 round trips',
  async (count) => {
    const lines: Line[] = [];
    for (let index = 0; index < count; index += 1) {
      const service = await shop.checkout.newService();
      const sessions: Line = { item_type: 'consulting_sessions', item: { id: service.service_id } };
      lines.push((await shop.coursePlan()).line, (await shop.product()).line, (await shop.seat()).line, sessions);
    }
    const trips = await roundTrips(await orderOf(lines));
    const write = count === 1 ? 'enrollments_write_new' : 'enrollments_write';
    // The statement of the items has no name.
    expect(trips[1]).toMatch(/^students \+ select /);
    expect(trips.toSpliced(1, 1)).toEqual(MIXED.with(MIXED.indexOf('enrollments_write'), write));
    expect(trips).toHaveLength(17);
  },
);

it('records a pending order of three course plans in five round trips, and its payment in eight', async () => {
  const lines = [(await shop.coursePlan()).line, (await shop.coursePlan()).line, (await shop.coursePlan()).line];
  const paid = await orderOf(lines);
  const pending = { ...paid, idempotency_key: randomUUID(), state: 'pending', paid_at: null };
  const one = 'outbox_one_with_idempotency_keys_with_lines_with_activity_one';
  expect(await roundTrips(pending, one)).toHaveLength(5);
  expect(await roundTrips(paid, 'outbox_with_idempotency_keys_with_activity')).toHaveLength(8);
});
