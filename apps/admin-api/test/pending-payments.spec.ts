import { randomUUID } from 'node:crypto';
import { withDatabase } from './database.js';
import { Shop } from './shop.js';
import type { Line } from './shop.js';

const shop = Shop.ofFile();
const { checkout } = shop;

const PRICE = { amount_minor: 1000, currency: 'TWD' };

type Order = Record<string, unknown>;

/** An order that is recorded as pending, and the command of its payment. */
async function pending(lines: readonly Line[], given: Order = {}, buyer?: string) {
  const student_id = buyer ?? (await checkout.newStudent());
  const paid = checkout.order(student_id, lines, given);
  const { order_id } = await checkout.record({
    ...paid,
    idempotency_key: randomUUID(),
    state: 'pending',
    paid_at: null,
  });
  return { student_id, paid, order_id };
}

/** Refuses the payment with each repetition, and shows why. */
async function refused({ paid, order_id }: { readonly paid: Order; readonly order_id: string }, pointer?: string) {
  const expected = { code: 'invalid_state', pointers: pointer === undefined ? [] : [pointer] };
  expect(await checkout.refused(paid)).toEqual(expected);
  const shown = await checkout.read(order_id);
  expect(shown).toMatchObject({ state: 'pending', paid_at: null, line_items: [{ granted_id: null }] });
  expect(await checkout.refused(paid)).toEqual(expected);
  expect(await checkout.read(order_id)).toEqual(shown);
  const path = '/api/v1/orders?state=pending&sort=-updated_at&limit=1';
  expect((await shop.api.send<{ data: Order[] }>('GET', path)).body.data).toMatchObject([{ id: order_id }]);
  return shown['payment_refusal'];
}

async function taken({ paid, order_id }: { readonly paid: Order; readonly order_id: string }): Promise<void> {
  const { line_items } = await checkout.record(paid);
  expect(line_items).toMatchObject([{ granted_id: expect.any(String) }]);
  expect(await checkout.read(order_id)).toMatchObject({ state: 'paid', payment_refusal: null });
}

async function change(path: string, body: object): Promise<void> {
  expect((await shop.api.send('PATCH', path, { body })).status).toBe(200);
}

describe('the payment of a pending order', () => {
  it('redeems a coupon that was deactivated after the order was recorded, and none from before', async () => {
    const { id, code } = await shop.coupons.coupon();
    const lines = [{ ...(await shop.product()).line, discount_minor: 100 }];
    const order = await pending(lines, shop.discounted(code, 100));
    expect((await shop.api.send('POST', `/api/v1/coupons/${id}/deactivate`)).status).toBe(200);
    const late = await pending(lines, shop.discounted(code, 100));
    await taken(order);
    expect(await shop.coupons.read(id)).toMatchObject({ redeemed_count: 1, state: 'deactivated' });
    expect(await refused(late, '/coupon_code')).toBe('The coupon is deactivated');
    const atOnce = checkout.order(await checkout.newStudent(), lines, shop.discounted(code, 100));
    expect(await checkout.refused(atOnce)).toEqual({ code: 'invalid_state', pointers: ['/coupon_code'] });
  });

  it('redeems no coupon that was deactivated before the order was recorded, also after an edit of it', async () => {
    const { id, code } = await shop.coupons.coupon();
    const lines = [{ ...(await shop.product()).line, discount_minor: 100 }];
    expect((await shop.api.send('POST', `/api/v1/coupons/${id}/deactivate`)).status).toBe(200);
    const late = await pending(lines, shop.discounted(code, 100));
    await change(`/api/v1/coupons/${id}`, { name: 'Another name' });
    expect(await refused(late, '/coupon_code')).toBe('The coupon is deactivated');
    expect((await shop.api.send('POST', `/api/v1/coupons/${id}/reactivate`)).status).toBe(200);
    await taken(late);
  });

  it('redeems a coupon that has expired after the order was recorded', async () => {
    const { id, code } = await shop.coupons.coupon();
    const lines = [{ ...(await shop.product()).line, discount_minor: 100 }];
    const paid_at = new Date(Date.now() + 60_000).toISOString();
    const order = await pending(lines, { ...shop.discounted(code, 100), paid_at });
    const { created_at } = await checkout.read(order.order_id);
    const expires_at = new Date(Date.parse(String(created_at)) + 1).toISOString();
    await change(`/api/v1/coupons/${id}`, { expires_at });
    await taken(order);
    expect(await shop.coupons.read(id)).toMatchObject({ redeemed_count: 1 });
  });

  it('shows its refusal while all redemptions of its coupon are used', async () => {
    const { id, code } = await shop.coupons.coupon({ max_redemptions: 1 });
    const lines = [{ ...(await shop.product()).line, discount_minor: 100 }];
    const order = await pending(lines, shop.discounted(code, 100));
    await shop.sell(await checkout.newStudent(), lines, shop.discounted(code, 100));
    expect(await refused(order, '/coupon_code')).toBe('All redemptions of the coupon are used');
    await change(`/api/v1/coupons/${id}`, { max_redemptions: 2 });
    await taken(order);
  });

  it('shows its refusal for a canceled event, until the order has failed', async () => {
    const { event, line } = await shop.seat();
    const order = await pending([line]);
    expect((await event.act('cancel')).status).toBe(200);
    expect(await refused(order, '/line_items/0/item')).toBe('The event is canceled, so it takes no registrations');
    await checkout.record({ ...order.paid, idempotency_key: randomUUID(), state: 'failed', paid_at: null });
    expect(await checkout.read(order.order_id)).toMatchObject({ state: 'failed', payment_refusal: null });
    expect(await event.states()).toEqual([]);
  });

  it('shows its refusal while the membership plan is sold out', async () => {
    const { path, line } = await shop.membership({ quantity: 1 });
    const order = await pending([line]);
    await shop.sell(await checkout.newStudent(), [line]);
    expect(await refused(order, '/line_items/0/item')).toBe('All memberships of the plan are sold');
    await change(path, { quantity: 2 });
    await taken(order);
    expect(await shop.read(path)).toMatchObject({ sold_count: 2 });
  });

  it('buys a membership plan whose sale had not ended at the record of the order or at its payment', async () => {
    const { path, line } = await shop.membership();
    const paid_at = new Date(Date.now() + 60_000).toISOString();
    const order = await pending([line], { paid_at });
    const { created_at } = await checkout.read(order.order_id);
    await change(path, { ends_at: new Date(Date.parse(String(created_at)) + 1).toISOString() });
    const late = await pending([line], { paid_at });
    const paidInTime = await pending([line], { paid_at: String(created_at) });
    await taken(order);
    await taken(paidInTime);
    expect(await refused(late, '/line_items/0/item')).toBe('The sale of the membership plan has ended');
  });

  it.each([
    ['an archived membership plan', 'POST', '/archive', {}],
    ['a withdrawn price', 'PATCH', '', { body: { prices: [{ interval: 'year', price: PRICE }] } }],
  ] as const)('renews a subscription to %s', async (_what, method, action, sent) => {
    const student_id = await checkout.newStudent();
    const prices = [{ interval: 'month', price: PRICE }];
    const { path, line } = await shop.membership({ plan_type: 'recurring', prices });
    const paid_at = new Date().toISOString();
    const [sold] = (await shop.sell(student_id, [line], { paid_at })).line_items;
    expect((await shop.api.send(method, `${path}${action}`, sent)).status).toBe(200);
    await taken(await pending([line], { subscription_id: sold?.granted_id, paid_at }, student_id));
  });

  it('shows its refusal for a course plan whose access has ended, as an order that is paid at once', async () => {
    const { id } = await checkout.newPlan({ plan_type: 'fixed_date', access_ends_at: '2026-10-02T08:00:00.000Z' });
    const line = { item_type: 'course_plan', item: { id } };
    const order = await pending([line]);
    expect(await refused(order, '/line_items/0/item')).toBe('The access of the plan has ended');
    const atOnce = checkout.order(await checkout.newStudent(), [line]);
    expect(await checkout.refused(atOnce)).toEqual({ code: 'invalid_state', pointers: ['/line_items/0/item'] });
    // The payment was before the end. Both are over.
    await change(`/api/v1/course_plans/${id}`, { access_ends_at: '2026-10-02T08:00:00.001Z' });
    await taken(order);
  });

  it('shows its refusal while the student is removed', async () => {
    const { course_id, line } = await shop.coursePlan();
    const order = await pending([line]);
    await withDatabase(shop.api.databaseUrl, (client) =>
      client.query(`update students set state = 'removed' where id = $1`, [order.student_id]),
    );
    expect(await refused(order)).toBe('The student was removed from the site');
    expect((await shop.api.send('POST', `/api/v1/students/${order.student_id}/restore`, { body: {} })).status).toBe(
      200,
    );
    await taken(order);
    expect(await checkout.enrollmentOf(order.student_id, course_id)).toMatchObject({ state: 'active' });
  });

  it('shows no refusal when another order has the number', async () => {
    const order = await pending([(await shop.product()).line]);
    const other = checkout.order(order.student_id, [(await shop.product()).line], { number: order.paid['number'] });
    expect(await checkout.refused(other)).toMatchObject({ code: 'already_exists' });
    expect(await checkout.read(order.order_id)).toMatchObject({ state: 'pending', payment_refusal: null });
  });
});
