import { randomUUID } from 'node:crypto';
import { untilBlocked, withDatabase } from './database.js';
import { unique } from './new-course.js';
import { PRICED_ITEMS, pricedItem } from './priced-items.js';
import { Shop } from './shop.js';

const shop = Shop.ofFile();
const { checkout } = shop;

const PENDING = { state: 'pending', paid_at: null };

describe.each(PRICED_ITEMS)('the price of %s', (what) => {
  const priced = () => pricedItem(shop, what);
  const patch = async (path: string, body: object) => {
    const sent = await shop.api.send('PATCH', path, { body });
    return [sent.status, sent.body['code']];
  };

  it.each(['dearer', 'other'] as const)(
    'stays against a patch (%s) while an order of it is pending',
    async (change) => {
      const { line, path, ...changes } = await priced();
      const order = checkout.order(await checkout.newStudent(), [line], PENDING);
      await checkout.record(order);
      expect(await patch(path, changes[change])).toEqual([409, 'resource_in_use']);
      expect(await patch(path, { name: 'Another name' })).toEqual([200, undefined]);
      await checkout.record({ ...order, idempotency_key: randomUUID(), state: 'failed' });
      expect(await patch(path, changes[change])).toEqual([200, undefined]);
    },
  );
});

describe('an upsert', () => {
  const price = (amount_minor: number) => ({ amount_minor, currency: 'TWD' });
  const put = async (path: string, body: object) => {
    const { status, body: sent } = await shop.api.send('PUT', path, { body });
    return [status, sent['code']];
  };

  it('keeps the price of a course plan while a pending order names it', async () => {
    const { course_id, external_id, line } = await shop.coursePlan();
    await checkout.record(checkout.order(await checkout.newStudent(), [line], PENDING));
    const [path, plan] = [`/api/v1/courses/${course_id}/plans/by_external_id/${external_id}`, { name: 'Forever' }];
    const paid = { ...plan, plan_type: 'one_time_purchase' };
    expect(await put(path, { ...paid, price: price(2000) })).toEqual([409, 'resource_in_use']);
    expect(await put(path, { ...paid, price: price(1000) })).toEqual([200, undefined]);
  });

  it.each([
    ['digital_products', 'digital_product'],
    ['consulting_services', 'consulting_sessions'],
  ])('keeps the price of one of %s while a pending order names it', async (collection, item_type) => {
    const path = `/api/v1/${collection}/by_external_id/${randomUUID()}`;
    const body = { name: 'An item', slug: unique('item') };
    const made = await shop.api.send<{ id: string }>('PUT', path, { body: { ...body, price: price(1000) } });
    const line = { item_type, item: { id: made.body.id } };
    await checkout.record(checkout.order(await checkout.newStudent(), [line], PENDING));
    expect(await put(path, { ...body, price: price(2000) })).toEqual([409, 'resource_in_use']);
    expect(await put(path, { ...body, price: price(1000) })).toEqual([200, undefined]);
  });

  it('keeps the price of a draft membership plan while a pending order names it', async () => {
    const path = `/api/v1/membership_plans/by_external_id/${randomUUID()}`;
    const plan = { name: 'A plan', slug: unique('plan'), plan_type: 'lifetime' };
    const made = await shop.api.send<{ prices: { id: string }[] }>('PUT', path, {
      body: { ...plan, prices: [{ price: price(1000) }] },
    });
    const item = { id: made.body.prices[0]?.id ?? '' };
    const line = { item_type: 'membership_plan', item };
    await checkout.record(checkout.order(await checkout.newStudent(), [line], PENDING));
    expect(await put(path, { ...plan, prices: [{ price: price(2000) }] })).toEqual([409, 'resource_in_use']);
    expect(await put(path, { ...plan, prices: [{ price: price(1000) }] })).toEqual([200, undefined]);
  });
});

it('never takes the price of a draft away while an order of it is recorded', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { line, path, other } = await pricedItem(shop, 'a draft of a membership plan');
    const order = checkout.order(await checkout.newStudent(), [line], PENDING);
    const [[recorded], patched] = await Promise.all([
      checkout.race([() => checkout.record(order)]),
      shop.api.send('PATCH', path, { body: other }),
    ]);
    expect([
      ['done', 409],
      ['not_found', 200],
    ]).toContainEqual([recorded, patched.status]);
  }
});

it.each([
  ['a ticket', 'event_tickets'],
  ['a digital product', 'digital_products'],
  ['a consulting service', 'consulting_services'],
])('waits with a new price of %s for transactions that record orders, and sees them', async (what, table) => {
  const { line, path, dearer } = await pricedItem(shop, what);
  const order = checkout.order(await checkout.newStudent(), [line], PENDING);
  const { status, body } = await withDatabase(shop.api.databaseUrl, async (client) => {
    await client.query('begin');
    // As the record of another order does.
    await client.query(`select 1 from ${table} where id = $1 for key share`, [line.item.id]);
    const patched = shop.api.send('PATCH', path, { body: dearer });
    await untilBlocked(client);
    await checkout.record(order);
    await client.query('commit');
    return patched;
  });
  expect([status, body['code']]).toEqual([409, 'resource_in_use']);
});

it('withdraws a price of an active membership plan for which an order is pending, and keeps its amount', async () => {
  const { line, path } = await shop.membership();
  const paid = checkout.order(await checkout.newStudent(), [line]);
  await checkout.record({ ...paid, idempotency_key: randomUUID(), ...PENDING });
  const [dearer, other] = [2000, 3000].map((amount_minor) => ({ price: { amount_minor, currency: 'TWD' } }));
  const changed = await shop.api.send('PATCH', path, { body: { prices: [{ ...line.item, ...dearer }] } });
  expect([changed.status, changed.body['errors']]).toMatchObject([409, [{ pointer: '/prices' }]]);
  const withdrawn = await shop.api.send('PATCH', path, { body: { prices: [other] } });
  expect(withdrawn.body['prices']).toMatchObject([other, { ...line.item, active: false }]);
  const late = checkout.order(await checkout.newStudent(), [line], PENDING);
  expect(await checkout.refused(late)).toEqual({ code: 'invalid_state', pointers: ['/line_items/0/item'] });
  expect(await checkout.record(paid)).toMatchObject({
    state: 'paid',
    line_items: [{ granted_id: expect.any(String) }],
  });
});
