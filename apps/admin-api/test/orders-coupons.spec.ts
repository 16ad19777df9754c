import { randomUUID } from 'node:crypto';
import { untilBlocked, withDatabase } from './database.js';
import { Shop } from './shop.js';

const shop = Shop.ofFile();
const { checkout } = shop;

const PENDING = { state: 'pending', paid_at: null };

describe('a coupon that a pending order names', () => {
  const ordered = async (code: string) => {
    const lines = [{ ...(await shop.product()).line, discount_minor: 100 }];
    return checkout.order(await checkout.newStudent(), lines, { ...shop.discounted(code, 100), ...PENDING });
  };
  const send = async (method: 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object) => {
    const sent = await shop.api.send(method, path, { ...(body && { body }) });
    return [sent.status, sent.body?.['code']];
  };

  it.each([
    ['code', 'ANOTHER'],
    ['discount', { kind: 'percentage', percent: 20 }],
    ['duration', 'forever'],
    ['applies_to', { item_types: ['ticket'] }],
    ['min_order', { amount_minor: 5000, currency: 'TWD' }],
  ])('keeps its %s until the order has failed', async (member, value) => {
    const external_id = randomUUID();
    const { id, code } = await shop.coupons.coupon({ external_id });
    const [path, body] = [`/api/v1/coupons/${id}`, { [member]: value }];
    // Buyers write a code in any case.
    const order = await ordered(code.toLowerCase());
    await checkout.record(order);
    const refused = await shop.api.send('PATCH', path, { body });
    const errors = [{ pointer: `/${member}`, code: 'resource_in_use' }];
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'resource_in_use', errors }]);
    const discount = { kind: 'percentage', percent: 10 };
    const whole = { name: 'Ten percent', code, discount, ...body };
    expect(await send('PUT', `/api/v1/coupons/by_external_id/${external_id}`, whole)).toEqual([409, 'resource_in_use']);
    expect((await send('PATCH', path, { name: 'Another name', max_redemptions: 1 }))[0]).toBe(200);
    await checkout.record({ ...order, idempotency_key: randomUUID(), state: 'failed' });
    expect((await send('PATCH', path, body))[0]).toBe(200);
  });

  it('keeps the order within its times until the order has failed', async () => {
    const { id, code } = await shop.coupons.coupon();
    const path = `/api/v1/coupons/${id}`;
    const order = await ordered(code);
    const { created_at } = await checkout.read((await checkout.record(order)).order_id);
    const after = (ms: number) => new Date(Date.parse(String(created_at)) + ms).toISOString();
    for (const times of [{ starts_at: after(1) }, { expires_at: after(0) }]) {
      const refused = await shop.api.send('PATCH', path, { body: times });
      const errors = Object.keys(times).map((member) => ({ pointer: `/${member}`, code: 'resource_in_use' }));
      expect([refused.status, refused.body]).toMatchObject([409, { code: 'resource_in_use', errors }]);
    }
    for (const times of [{ starts_at: after(0) }, { expires_at: after(1) }, { starts_at: null, expires_at: null }]) {
      expect((await send('PATCH', path, times))[0]).toBe(200);
    }
    await checkout.record({ ...order, idempotency_key: randomUUID(), state: 'failed' });
    expect((await send('PATCH', path, { starts_at: after(3_600_000) }))[0]).toBe(200);
  });

  it('moves its times freely for an order that was recorded before it began', async () => {
    const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const { id, code } = await shop.coupons.coupon({ starts_at: later(1) });
    await checkout.record(await ordered(code));
    expect((await send('PATCH', `/api/v1/coupons/${id}`, { starts_at: later(2) }))[0]).toBe(200);
  });

  it('refuses its deletion until the order has failed', async () => {
    const { id, code } = await shop.coupons.coupon();
    const order = await ordered(code);
    await checkout.record(order);
    expect(await send('DELETE', `/api/v1/coupons/${id}`)).toEqual([409, 'resource_in_use']);
    await checkout.record({ ...order, idempotency_key: randomUUID(), state: 'failed' });
    expect((await send('DELETE', `/api/v1/coupons/${id}`))[0]).toBe(204);
  });

  it.each([
    ['DELETE', undefined],
    ['PATCH', { discount: { kind: 'percentage', percent: 20 } }],
  ] as const)('sees with %s orders whose record it has waited for', async (method, body) => {
    const { id, code } = await shop.coupons.coupon();
    const order = await ordered(code);
    const response = await withDatabase(shop.api.databaseUrl, async (client) => {
      await client.query('begin');
      // As the record of another order does.
      await client.query('select 1 from coupons where id = $1 for key share', [id]);
      const sent = send(method, `/api/v1/coupons/${id}`, body);
      await untilBlocked(client);
      await checkout.record(order);
      await client.query('commit');
      return sent;
    });
    expect(response).toEqual([409, 'resource_in_use']);
  });

  it('waits with the record of the order for a change of the coupon', async () => {
    const { id, code } = await shop.coupons.coupon();
    const order = await ordered(code);
    const recorded = await withDatabase(shop.api.databaseUrl, async (client) => {
      await client.query('begin');
      // As a change of the discount does.
      await client.query('select 1 from coupons where id = $1 for update', [id]);
      const sent = checkout.record(order);
      await untilBlocked(client);
      await client.query('commit');
      return sent;
    });
    expect(recorded).toMatchObject({ state: 'pending' });
  });
});
