import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { CouponSeller } from './coupon-seller.js';
import { withDatabase } from './database.js';

let api: TestApi;
let seller: CouponSeller;
beforeAll(async () => {
  api = await startAdminApi();
  seller = new CouponSeller(api);
});
afterAll(() => api.stop());

const repeated = <T>(value: T, count: number): T[] => Array.from({ length: count }, () => value);

async function outcomes(orders: readonly Parameters<CouponSeller['redeem']>[0][]): Promise<string[]> {
  return (await Promise.all(orders.map((order) => seller.outcome(order)))).toSorted();
}

it('redeems a coupon with ten places ten times when fifty orders ask at once', async () => {
  const { id, code } = await seller.coupon({ max_redemptions: 10 });
  const students = await seller.students(50);
  expect(await outcomes(students.map((student_id) => ({ code, student_id })))).toEqual([
    ...repeated('coupon_exhausted', 40),
    ...repeated('redeemed', 10),
  ]);
  expect(await seller.read(id)).toMatchObject({ redeemed_count: 10, state: 'exhausted' });
  expect(await seller.redemptions(id)).toHaveLength(10);
});

it('redeems a coupon as often for one student as it allows when twenty orders ask at once', async () => {
  const { id, code } = await seller.coupon({ max_per_member: 2 });
  const [student_id = '', other = ''] = await seller.students(2);
  expect(await outcomes(repeated({ code, student_id }, 20))).toEqual([
    ...repeated('coupon_limit_reached', 18),
    ...repeated('redeemed', 2),
  ]);
  expect(await seller.outcome({ code, student_id: other })).toBe('redeemed');
  expect(await seller.read(id)).toMatchObject({ redeemed_count: 3, state: 'active' });
  expect(await seller.redemptions(id, `&student_id=${student_id}`)).toHaveLength(2);
});

it('counts one redemption of an order that is recorded ten times at once, with the same discounts', async () => {
  const { id, code } = await seller.coupon();
  const [student_id = ''] = await seller.students(1);
  const item = { item_type: 'ticket', item_id: randomUUID() } as const;
  const lines = [333, 334].map((amount_minor) => ({ ...item, amount_minor }));
  const order = { code, student_id, order_id: randomUUID(), lines };
  const results = await Promise.all(repeated(order, 10).map((one) => seller.redeem(one)));
  expect(results).toEqual(repeated({ coupon_id: id, discount_minor: 67, discounts: [33, 34] }, 10));
  expect(await seller.read(id)).toMatchObject({ redeemed_count: 1 });
  const [redemption] = await seller.redemptions(id);
  expect(redemption).toMatchObject({
    coupon_id: id,
    order_id: order.order_id,
    student_id,
    discount: { amount_minor: 67, currency: 'TWD' },
    restored_at: null,
  });
  const { order_id } = order;
  const ofOrder = await api.events.matching(
    ({ data }) => JSON.stringify(data['redemption'] ?? {}).includes(order_id),
    1,
  );
  expect(ofOrder.map(({ data }) => data['redemption'])).toMatchObject([
    { redemption_id: redemption?.['id'], order_id, student_id, discount_minor: 67, currency: 'TWD' },
  ]);
});

it('redeems one of two coupons for an order that names both at once', async () => {
  const [a, b] = [await seller.coupon(), await seller.coupon()];
  const [student_id = ''] = await seller.students(1);
  const order = { student_id, order_id: randomUUID() };
  expect(await outcomes([a, b].map(({ code }) => ({ ...order, code })))).toEqual(['coupon_not_applicable', 'redeemed']);
  const counts = await Promise.all([a, b].map(async ({ id }) => Number((await seller.read(id))['redeemed_count'])));
  expect(counts.toSorted((one, other) => one - other)).toEqual([0, 1]);
});

it('gives the place of a refunded order back, once', async () => {
  const { id, code } = await seller.coupon({ max_redemptions: 1, max_per_member: 1 });
  const [student_id = ''] = await seller.students(1);
  const order_id = randomUUID();
  await seller.redeem({ code, student_id, order_id });
  expect(await seller.outcome({ code, student_id })).toBe('coupon_exhausted');
  await Promise.all([seller.restore(order_id), seller.restore(order_id), seller.restore(randomUUID())]);
  expect(await seller.read(id)).toMatchObject({ redeemed_count: 0, state: 'active' });
  expect(await seller.redemptions(id)).toMatchObject([{ order_id, restored_at: expect.any(String) }]);
  expect(await seller.outcome({ code, student_id, order_id })).toBe('coupon_not_applicable');
  expect(await seller.outcome({ code, student_id })).toBe('redeemed');
  await seller.restore(order_id);
  expect(await seller.read(id)).toMatchObject({ redeemed_count: 1, state: 'exhausted' });
});

it('finds a code without regard to case and spaces at its ends, at its own site only', async () => {
  const { code } = await seller.coupon({ code: 'Spring-Fair' });
  const [student_id = ''] = await seller.students(1);
  for (const typed of [code, 'SPRING-FAIR', ' spring-fair ']) {
    expect(await seller.outcome({ code: typed, student_id })).toBe('redeemed');
  }
  for (const unknown of ['spring fair', 'springfair', '', '\u0000']) {
    expect(await seller.outcome({ code: unknown, student_id })).toBe('coupon_not_found');
  }
  const body = { name: 'Elsewhere', code: 'ELSEWHERE', discount: { kind: 'percentage', percent: 10 } };
  expect((await api.send('POST', '/api/v1/coupons', { site: api.sites[1], body })).status).toBe(201);
  expect(await seller.outcome({ code: 'ELSEWHERE', student_id })).toBe('coupon_not_found');
});

it('leaves no redemption of an order whose transaction fails', async () => {
  const { id, code } = await seller.coupon();
  await expect(seller.redeem({ code, student_id: randomUUID() })).rejects.toThrow('foreign key');
  expect(await seller.read(id)).toMatchObject({ redeemed_count: 0 });
  expect(await seller.redemptions(id)).toEqual([]);
});

it('keeps a coupon below its limit in the database, too', async () => {
  const { id } = await seller.coupon({ max_redemptions: 1 });
  const exceed = withDatabase(api.databaseUrl, (client) =>
    client.query('update coupons set redeemed_count = 2 where id = $1', [id]),
  );
  await expect(exceed).rejects.toThrow('coupons_');
});
