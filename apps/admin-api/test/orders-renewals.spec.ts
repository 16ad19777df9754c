import { randomUUID } from 'node:crypto';
import { withDatabase } from './database.js';
import { Shop } from './shop.js';
import type { Line } from './shop.js';

const shop = Shop.ofFile();
const { checkout } = shop;

const price = (interval: string, amount_minor: number, more: object = {}) => ({
  interval,
  price: { amount_minor, currency: 'TWD' },
  ...more,
});
const REFUSED = { code: 'validation_failed', pointers: ['/line_items/0/item'] };

const lineOf = (id: string): Line => ({ item_type: 'membership_plan', item: { id } });

/** A subscription to the first price of a plan, and a line of each price. */
async function subscribed(prices: readonly object[]) {
  const { path } = await shop.membership({ plan_type: 'recurring', prices });
  const plan = await shop.read(path);
  const lines = (plan['prices'] as readonly { readonly id: string }[]).map(({ id }) => lineOf(id));
  const [first] = lines;
  if (first === undefined) throw new Error('The plan has no price');
  const student_id = await checkout.newStudent();
  const paid_at = new Date(Date.now() - 60_000).toISOString();
  const { line_items } = await shop.sell(student_id, [first], { paid_at });
  const subscription_id = line_items[0]?.granted_id ?? '';
  const renewal = (line: Line | undefined, given: object = {}) =>
    checkout.order(student_id, line === undefined ? [] : [line], { subscription_id, paid_at, ...given });
  const { current_period_end: end } = await shop.subscription(subscription_id);
  return { path, lines, subscription_id, renewal, end };
}

describe('a renewal', () => {
  it.each([
    ['a year in place of a month', price('month', 1000), price('year', 10_000)],
    ['a month in place of a year', price('year', 10_000), price('month', 1000)],
    ['two months in place of one', price('month', 1000), price('month', 2000, { interval_count: 2 })],
  ])('does not pay %s', async (_what, first, other) => {
    const { lines, subscription_id, renewal, end } = await subscribed([first, other]);
    const [, line] = lines;
    expect(await checkout.refused(renewal(line))).toEqual(REFUSED);
    expect(await checkout.refused(renewal(line, { state: 'pending', paid_at: null }))).toEqual(REFUSED);
    expect(await shop.subscription(subscription_id)).toMatchObject({ current_period_end: end });
  });

  it('pays the interval of the subscription at another price, also at a withdrawn one', async () => {
    const { path, lines, subscription_id, renewal, end } = await subscribed([
      price('month', 1000),
      price('month', 900),
    ]);
    const body = { prices: [price('month', 2000)] };
    expect((await shop.api.send('PATCH', path, { body })).status).toBe(200);
    for (const line of lines) await checkout.record(renewal(line));
    expect(await shop.subscription(subscription_id)).not.toMatchObject({ current_period_end: end });
  });
});

describe('a renewal at the price of the subscription', () => {
  it('pays the interval of the sale, also after the price got another one', async () => {
    const { path, lines, subscription_id, renewal, end } = await subscribed([price('month', 1000)]);
    const [own] = lines;
    const body = { prices: [{ id: own?.item.id, ...price('year', 10_000) }] };
    expect((await shop.api.send('PATCH', path, { body })).status).toBe(200);
    await checkout.record(renewal(own));
    const { current_period_end: next } = await shop.subscription(subscription_id);
    const days = (Date.parse(String(next)) - Date.parse(String(end))) / 86_400_000;
    expect([days > 27, days < 32]).toEqual([true, true]);
  });
});

describe('a pending renewal at a price of another interval, recorded by an earlier release', () => {
  async function recorded() {
    const { lines, subscription_id, renewal, end } = await subscribed([price('month', 1000), price('year', 1000)]);
    const [first, other] = lines;
    const paid = renewal(first);
    const { order_id } = await checkout.record({
      ...paid,
      idempotency_key: randomUUID(),
      state: 'pending',
      paid_at: null,
    });
    await withDatabase(shop.api.databaseUrl, (client) =>
      client.query('update order_lines set item_id = $2 where order_id = $1', [order_id, other?.item.id]),
    );
    const line_items = [{ ...(paid['line_items'] as readonly object[])[0], ...other }];
    return { order_id, subscription_id, paid: { ...paid, line_items }, end };
  }

  it('shows operators that its payment was refused', async () => {
    const { order_id, paid, subscription_id, end } = await recorded();
    expect(await checkout.refused(paid)).toEqual(REFUSED);
    expect(await checkout.read(order_id)).toMatchObject({ state: 'pending', payment_refusal: expect.any(String) });
    expect(await shop.subscription(subscription_id)).toMatchObject({ current_period_end: end });
  });

  it('accepts its failure', async () => {
    const { order_id, paid } = await recorded();
    await checkout.record({ ...paid, idempotency_key: randomUUID(), state: 'failed', paid_at: null });
    expect(await checkout.read(order_id)).toMatchObject({ state: 'failed' });
  });
});
