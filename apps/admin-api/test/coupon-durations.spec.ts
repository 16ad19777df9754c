import { Shop } from './shop.js';

const DAY_MS = 86_400_000;
const MONTHLY = {
  plan_type: 'recurring',
  prices: [{ interval: 'month', price: { amount_minor: 1000, currency: 'TWD' } }],
};
const REFUSED = { code: 'invalid_state', pointers: ['/coupon_code'] };

const shop = Shop.ofFile();
const { checkout } = shop;

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

/** A subscription that an order with a coupon sold. */
async function subscribed(terms: object) {
  const coupon = await shop.coupons.coupon({ max_per_member: 1, ...terms });
  const { line } = await shop.membership(MONTHLY);
  const student_id = await checkout.newStudent();
  const reduced = { ...shop.discounted(coupon.code, 100) };
  const lines = [{ ...line, discount_minor: 100 }];
  const sale = await shop.sell(student_id, lines, { ...reduced, paid_at: daysAgo(1) });
  const subscription_id = sale.line_items[0]?.granted_id ?? '';
  const renewal = () => checkout.order(student_id, lines, { ...reduced, subscription_id, paid_at: daysAgo(0) });
  const other = () => checkout.order(student_id, lines, { ...reduced, paid_at: daysAgo(0) });
  return { coupon, subscription_id, sale, renewal, other };
}

it('reduces the first payment by a coupon that lasts once', async () => {
  const { coupon, renewal } = await subscribed({ duration: 'once', max_per_member: null });
  expect(await checkout.refused(renewal())).toEqual(REFUSED);
  expect(await shop.coupons.read(coupon.id)).toMatchObject({ redeemed_count: 1 });
});

it('reduces the payments of its months by a repeating coupon, which count as one redemption', async () => {
  const { coupon, renewal, other } = await subscribed({
    duration: 'repeating',
    duration_months: 3,
    max_redemptions: 1,
  });
  await checkout.record(renewal());
  await checkout.record(renewal());
  expect(await checkout.refused(renewal())).toEqual(REFUSED);
  expect(await checkout.refused(other())).toEqual(REFUSED);
  expect(await shop.coupons.read(coupon.id)).toMatchObject({ redeemed_count: 1 });
  expect(await shop.coupons.redemptions(coupon.id)).toHaveLength(3);
});

it('reduces all payments by a coupon without an end, also after it has expired, until it is deactivated', async () => {
  const { coupon, subscription_id, renewal, other } = await subscribed({ duration: 'forever' });
  const path = `/api/v1/coupons/${coupon.id}`;
  expect((await shop.api.send('PATCH', path, { body: { expires_at: daysAgo(0.5) } })).status).toBe(200);
  for (let paid = 0; paid < 4; paid += 1) await checkout.record(renewal());
  const { current_period_end } = await shop.subscription(subscription_id);
  expect(Date.parse(String(current_period_end))).toBeGreaterThan(Date.now() + 140 * DAY_MS);
  expect(await checkout.refused(other())).toEqual(REFUSED);
  expect((await shop.api.send('POST', `${path}/deactivate`)).status).toBe(200);
  expect(await checkout.refused(renewal())).toEqual(REFUSED);
});

it('gives the redemption back with the first payment, and nothing with a further one', async () => {
  const { coupon, sale, renewal } = await subscribed({ duration: 'forever', max_redemptions: 1 });
  const { order_id } = await checkout.record(renewal());
  await checkout.refund(order_id, { amount_minor: 900, refunded_at: daysAgo(0) });
  expect(await shop.coupons.read(coupon.id)).toMatchObject({ redeemed_count: 1 });
  await checkout.refund(sale.order_id, { amount_minor: 900, refunded_at: daysAgo(0) });
  expect(await shop.coupons.read(coupon.id)).toMatchObject({ redeemed_count: 0 });
});
