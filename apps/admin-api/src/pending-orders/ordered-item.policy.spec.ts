import { PRICED, lostMembers, requireUnordered } from './ordered-item.policy.js';
import type { PricedTable } from './ordered-item.policy.js';

const price = { amount_minor: 100, currency: 'TWD' };
const day = (date: number): Date => new Date(Date.UTC(2027, 0, date));

it.each<[PricedTable, object, object, readonly string[]]>([
  ['course_plans', { price }, { price: { amount_minor: 200, currency: 'TWD' } }, ['price']],
  ['course_plans', { price }, { price: null }, ['price']],
  ['course_plans', { price }, { name: 'Another name' }, []],
  ['course_plans', { price: null }, { price }, []],
  ['event_tickets', { external_id: 'a' }, { external_id: 'b' }, ['external_id']],
  ['event_tickets', { external_id: 'a' }, { external_id: null }, ['external_id']],
  ['event_tickets', { external_id: null }, { external_id: 'a' }, []],
  ['course_plans', { interval: 'year' }, { interval: 'month' }, ['interval']],
  ['course_plans', { interval: 'month' }, { interval: 'year' }, []],
  ['course_plans', { interval_count: 2 }, { interval_count: 1 }, ['interval_count']],
  ['course_plans', { interval_count: 1 }, { interval_count: 2 }, []],
  ['course_plans', { access_ends_at: day(2) }, { access_ends_at: day(1) }, ['access_ends_at']],
  ['course_plans', { access_ends_at: day(1) }, { access_ends_at: day(2) }, []],
  ['digital_products', { access_days: null }, { access_days: 1 }, ['access_days']],
  ['digital_products', { access_days: 2 }, { access_days: 1 }, ['access_days']],
  ['digital_products', { access_days: 1 }, { access_days: null }, []],
  ['consulting_services', { sessions_included: 2 }, { sessions_included: 1 }, ['sessions_included']],
  ['consulting_services', { validity_days: 2 }, { validity_days: 1 }, ['validity_days']],
])('says what an order loses of a row of %s with %j by the changes %j: %j', (table, row, changes, lost) => {
  expect(lostMembers(table, row, changes)).toEqual(lost);
});

it.each(Object.keys(PRICED) as PricedTable[])('keeps what pending orders name of a row of %s', (table) => {
  expect(() => requireUnordered(table, ['price'], false)).not.toThrow();
  expect(() => requireUnordered(table, ['price', 'external_id'], true)).toThrow(
    expect.objectContaining({
      code: 'resource_in_use',
      errors: [
        expect.objectContaining({ pointer: '/price', code: 'resource_in_use' }),
        expect.objectContaining({ pointer: '/external_id', code: 'resource_in_use' }),
      ],
    }),
  );
});
