import { randomUUID } from 'node:crypto';
import { PRICED_ITEMS, pricedItem } from './priced-items.js';
import { Shop } from './shop.js';
import type { Line } from './shop.js';

const shop = Shop.ofFile();
const { checkout } = shop;

const PENDING = { state: 'pending', paid_at: null };
const PRICE = { amount_minor: 1000, currency: 'TWD' };

it.each(PRICED_ITEMS.filter((what) => what !== 'a draft of a membership plan'))(
  'keeps the external_id of %s while a pending order names it',
  async (what) => {
    const { line, path } = await pricedItem(shop, what);
    const external_id = randomUUID();
    expect((await shop.api.send('PATCH', path, { body: { external_id } })).status).toBe(200);
    const named = { ...line, item: { external_id } };
    const paid = checkout.order(await checkout.newStudent(), [named]);
    await checkout.record({ ...paid, idempotency_key: randomUUID(), ...PENDING });
    for (const other of [null, randomUUID()]) {
      const refused = await shop.api.send('PATCH', path, { body: { external_id: other } });
      expect([refused.status, refused.body['errors']]).toMatchObject([409, [{ pointer: '/external_id' }]]);
    }
    expect(await checkout.record(paid)).toMatchObject({ state: 'paid', line_items: [{ item_id: line.item.id }] });
    expect((await shop.api.send('PATCH', path, { body: { external_id: null } })).status).toBe(200);
  },
);

describe('what an order gives', () => {
  type Item = { readonly path: string; readonly line: Line };
  const coursePlan = async (terms: object): Promise<Item> => {
    const { id } = await checkout.newPlan({ ...terms });
    return { path: `/api/v1/course_plans/${id}`, line: { item_type: 'course_plan', item: { id } } };
  };
  const service = async (terms: object): Promise<Item> => {
    const { path, service_id: id } = await checkout.newService({ price: PRICE, ...terms });
    return { path, line: { item_type: 'consulting_sessions', item: { id } } };
  };
  const product = async (terms: object): Promise<Item> => {
    const made = await shop.product();
    expect((await shop.api.send('PATCH', made.path, { body: terms })).status).toBe(200);
    return made;
  };
  const YEARLY = { plan_type: 'subscription', interval: 'year', interval_count: 2 };

  it.each<[string, (terms: object) => Promise<Item>, object, object, object]>([
    [
      'days of a course plan',
      coursePlan,
      { plan_type: 'specific_length', access_days: 30 },
      { access_days: 29 },
      { access_days: 31 },
    ],
    ['the interval of a course plan', coursePlan, YEARLY, { interval: 'month' }, { interval_count: 3 }],
    ['the count of a course plan', coursePlan, YEARLY, { interval_count: 1 }, { name: 'Another name' }],
    [
      'the date of a course plan',
      coursePlan,
      { plan_type: 'fixed_date', access_ends_at: '2098-01-01T00:00:00.000Z' },
      { access_ends_at: '2097-01-01T00:00:00.000Z' },
      { access_ends_at: '2099-01-01T00:00:00.000Z' },
    ],
    [
      'days of a membership plan',
      (terms) => shop.membership({ ...terms }),
      { plan_type: 'specific_length', access_days: 30 },
      { access_days: 29 },
      { access_days: 31 },
    ],
    ['days of a digital product', product, { access_days: null }, { access_days: 30 }, { download_limit: 3 }],
    [
      'sessions of a consulting service',
      service,
      { sessions_included: 2 },
      { sessions_included: 1 },
      { sessions_included: 3 },
    ],
    ['days of a consulting service', service, { validity_days: 30 }, { validity_days: 29 }, { validity_days: null }],
  ])('keeps %s while the order is pending', async (_what, make, terms, less, more) => {
    const { path, line } = await make(terms);
    const order = checkout.order(await checkout.newStudent(), [line], PENDING);
    await checkout.record(order);
    const refused = await shop.api.send('PATCH', path, { body: less });
    const pointer = `/${String(Object.keys(less)[0])}`;
    expect([refused.status, refused.body['code'], refused.body['errors']]).toMatchObject([
      409,
      'resource_in_use',
      [{ pointer }],
    ]);
    expect((await shop.api.send('PATCH', path, { body: more })).status).toBe(200);
    await checkout.record({ ...order, idempotency_key: randomUUID(), state: 'failed' });
    expect((await shop.api.send('PATCH', path, { body: less })).status).toBe(200);
  });

  it.each([{ interval: 'month' }, { interval_count: 2 }, { trial_days: 1 }])(
    'keeps the terms of a price of a membership plan against %j',
    async (terms) => {
      const price = { interval: 'year', interval_count: 1, price: PRICE, trial_days: 0 };
      const { path, line } = await shop.membership({ plan_type: 'recurring', prices: [price] });
      const order = checkout.order(await checkout.newStudent(), [line], PENDING);
      await checkout.record(order);
      const patch = () => shop.api.send('PATCH', path, { body: { prices: [{ ...line.item, ...price, ...terms }] } });
      const refused = await patch();
      expect([refused.status, refused.body['errors']]).toMatchObject([409, [{ pointer: '/prices' }]]);
      await checkout.record({ ...order, idempotency_key: randomUUID(), state: 'failed' });
      expect((await patch()).status).toBe(200);
    },
  );
});
