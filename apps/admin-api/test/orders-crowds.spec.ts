import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import type { Checkout } from './checkout.js';
import { crowd as sendAll, counted, deadlocks, repeated } from './crowd.js';
import { withDatabase } from './database.js';
import { newCourse } from './new-course.js';
import { newStudents } from './new-events.js';
import { Shop } from './shop.js';
import type { Line } from './shop.js';

const CROWD = 200;
const HALF = CROWD / 2;
const YEARLY = {
  plan_type: 'recurring',
  prices: [{ interval: 'year', price: { amount_minor: 1000, currency: 'TWD' } }],
};

let api: TestApi;
let shop: Shop;
let checkout: Checkout;
let buyers: readonly string[];
beforeAll(async () => {
  api = await startAdminApi();
  shop = await Shop.open(api);
  checkout = shop.checkout;
  buyers = await newStudents(api, CROWD);
});
afterAll(async () => {
  await checkout?.close();
  await api.stop();
});

type Send = () => Promise<unknown>;
const crowd = (commands: readonly Send[]): Promise<readonly string[]> =>
  sendAll(commands.map((command) => async () => (await checkout.race([command]))[0] ?? ''));

/** A command for each of these students, which orders the lines with a number of its own. */
const orders = (students: readonly string[], lines: readonly Line[], given: object = {}): readonly Send[] =>
  students.map((student_id) => {
    const order = checkout.order(student_id, lines, { ...given });
    return () => checkout.record(order);
  });

/** The order as another command. */
const again = (order: Record<string, unknown>): Send => {
  const command = { ...order, idempotency_key: randomUUID() };
  return () => checkout.record(command);
};

/** Returns the one row of a query as numbers. */
async function figures(query: string, values: readonly unknown[]): Promise<Record<string, number>> {
  return withDatabase(api.databaseUrl, async (client) => {
    const { rows } = await client.query<Record<string, string>>(query, [...values]);
    return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]));
  });
}

/** Orders with a line of the item, and how many different things they gave. */
const salesOf = ({ item }: Line): Promise<Record<string, number>> =>
  figures(
    `select count(distinct o.id) as orders, count(distinct l.granted_id) as granted
     from orders o join order_lines l on l.site_id = o.site_id and l.order_id = o.id where l.item_id = $1`,
    [item.id],
  );

it('sells the last seven seats to seven of two hundred students', async () => {
  const { event, line } = await shop.seat({ capacity: 7 });
  expect(counted(await crowd(orders(buyers, [line])))).toEqual({ done: 7, invalid_state: CROWD - 7 });
  expect(await event.states()).toEqual(repeated('registered', 7));
  expect(await salesOf(line)).toEqual({ orders: 7, granted: 7 });
});

it('redeems the last redemption of a coupon in one of two hundred orders', async () => {
  const { id, code } = await shop.coupons.coupon({ max_redemptions: 1 });
  const { path, line } = await shop.product();
  const lines = [{ ...line, discount_minor: 100 }];
  const outcomes = await crowd(orders(buyers, lines, shop.discounted(code, 100)));
  expect(counted(outcomes)).toEqual({ done: 1, invalid_state: CROWD - 1 });
  expect(await shop.coupons.read(id)).toMatchObject({ redeemed_count: 1, state: 'exhausted' });
  expect(await shop.read(path)).toMatchObject({ sold_count: 1 });
  expect(await salesOf(line)).toEqual({ orders: 1, granted: 1 });
});

it('records one order when two students send one number a hundred times each', async () => {
  const { line } = await shop.membership(YEARLY);
  const [one = '', other = ''] = buyers;
  const order = checkout.order(one, [line]);
  const rival = { ...order, student: { id: other } };
  const outcomes = await crowd([...repeated(order, HALF), ...repeated(rival, HALF)].map(again));
  expect(counted(outcomes)).toEqual({ done: HALF, already_exists: HALF });
  expect(await salesOf(line)).toEqual({ orders: 1, granted: 1 });
});

it('redeems as many places as refunds give back while a hundred orders wait for them', async () => {
  const { id, code } = await shop.coupons.coupon({ max_redemptions: HALF });
  const { path, line } = await shop.membership({ course_ids: [(await newCourse(api)).id] });
  const lines = [{ ...line, discount_minor: 100 }];
  const given = shop.discounted(code, 100);
  const first = await Promise.all(buyers.slice(0, HALF).map((student_id) => shop.sell(student_id, lines, given)));
  const refunds = first.map(({ order_id }) => {
    const key = { amount_minor: 900 };
    return () => checkout.refund(order_id, key);
  });
  const waiting = orders(buyers.slice(HALF), lines, given);
  const outcomes = await crowd([...refunds, ...waiting]);
  expect(counted(outcomes.slice(0, HALF))).toEqual({ done: HALF });
  const sold = outcomes.slice(HALF).filter((one) => one === 'done').length;
  expect(outcomes.slice(HALF).toSorted()).toEqual([
    ...repeated('done', sold),
    ...repeated('invalid_state', HALF - sold),
  ]);
  expect(await shop.coupons.read(id)).toMatchObject({ redeemed_count: sold });
  expect(await shop.read(path)).toMatchObject({ sold_count: sold });
  // All places are free again, so each refused order succeeds when it is sent again, and no further one does.
  const refused = waiting.filter((_send, index) => outcomes[HALF + index] !== 'done');
  expect(await crowd(refused)).toEqual(repeated('done', HALF - sold));
  expect(await crowd(orders(buyers.slice(0, 1), lines, given))).toEqual(['invalid_state']);
  expect(await shop.coupons.read(id)).toMatchObject({ redeemed_count: HALF, state: 'exhausted' });
});

it('refunds an order once while a hundred refunds and a hundred records of it come', async () => {
  const plan = await shop.coursePlan();
  const [student_id = ''] = buyers;
  const order = checkout.order(student_id, [plan.line]);
  const { order_id } = await checkout.record(order);
  const refunds = repeated(() => checkout.refund(order_id, { amount_minor: 1000 }), HALF);
  const outcomes = await crowd([...refunds, ...repeated(order, HALF).map(again)]);
  expect(counted(outcomes.slice(0, HALF))).toEqual({ done: 1, invalid_state: HALF - 1 });
  expect(counted(outcomes.slice(HALF))).toEqual({ done: HALF });
  expect(await checkout.read(order_id)).toMatchObject({ state: 'refunded', refunded_minor: 1000 });
  expect(await checkout.enrollmentOf(student_id, plan.course_id)).toMatchObject({ state: 'revoked' });
});

/** Subscriptions of a hundred students, with a command that renews each. */
async function subscriptions() {
  const { line } = await shop.membership({ ...YEARLY, course_ids: [(await newCourse(api)).id] });
  const paid_at = new Date(Date.now() - 60_000).toISOString();
  return Promise.all(
    buyers.slice(0, HALF).map(async (student_id) => {
      const { line_items } = await shop.sell(student_id, [line], { paid_at });
      const id = line_items[0]?.granted_id ?? '';
      const end = (await shop.subscription(id))['current_period_end'];
      const [renew] = orders([student_id], [line], { subscription_id: id, paid_at: new Date().toISOString() });
      const cancel = (at_period_end: boolean) =>
        api.send('POST', `/api/v1/subscriptions/${id}/cancel`, { body: { at_period_end } });
      return { id, end, renew: renew ?? (() => Promise.reject(new Error('No renewal'))), cancel };
    }),
  );
}

it('renews and cancels a hundred subscriptions, now or at the end of the period, and loses neither', async () => {
  const all = await subscriptions();
  const isScheduled = (index: number): boolean => index % 2 === 1;
  const [canceled, renewed] = await Promise.all([
    Promise.all(all.map(({ cancel }, index) => cancel(isScheduled(index)))),
    crowd(all.map(({ renew }) => renew)),
  ]);
  expect(counted(canceled.map(({ status }) => String(status)))).toEqual({ 200: HALF });
  for (const [index, { id, end }] of all.entries()) {
    const shown = await shop.subscription(id);
    const state = isScheduled(index) ? 'active' : 'canceled';
    expect(shown).toMatchObject({ state, cancel_at_period_end: isScheduled(index), next_charge_at: null });
    // A payment that was accepted gave its year, and a refused one gave nothing.
    const isRenewed = shown['current_period_end'] !== end;
    expect(renewed[index]).toBe(isRenewed ? 'done' : 'invalid_state');
    if (isRenewed) expect(shown['current_period_start']).toBe(end);
    if (isScheduled(index)) expect(isRenewed).toBe(true);
  }
});

async function act(path: string, action: string): Promise<void> {
  const { status, text } = await api.send('POST', `${path}/${action}`);
  if (status !== 200) throw new Error(text);
}

/** Things that an operator can archive, with the member that counts their sales. */
const ARCHIVED = {
  'a membership plan': async () => {
    const plan = await shop.membership({ course_ids: [(await newCourse(api)).id] });
    return { ...plan, counter: 'sold_count' };
  },
  'a digital product': async () => {
    const product = await shop.product();
    await act(product.path, 'unpublish');
    return { ...product, counter: 'sold_count' };
  },
  'a course': async () => {
    const { course_id, line } = await shop.coursePlan();
    const path = `/api/v1/courses/${course_id}`;
    for (const action of ['publish', 'unpublish']) await act(path, action);
    return { path, line, counter: 'enrollments_count' };
  },
};

it.each(Object.entries(ARCHIVED))('counts each sale of %s before its archival, and no other', async (_name, make) => {
  const { path, line, counter } = await make();
  const place = CROWD / 8;
  const outcomes = await crowd(orders(buyers, [line]).toSpliced(place, 0, () => act(path, 'archive')));
  const { done = 0, ...refused } = counted(outcomes);
  expect(refused).toEqual({ invalid_state: CROWD + 1 - done });
  expect(outcomes[place]).toBe('done');
  expect(await crowd(orders(buyers.slice(0, 1), [line]))).toEqual(['invalid_state']);
  expect(await shop.read(path)).toMatchObject({ state: 'archived', [counter]: done - 1 });
  expect(await salesOf(line)).toEqual({ orders: done - 1, granted: done - 1 });
});

it('meets no deadlock in any of these crowds', async () => {
  expect(await deadlocks(api.databaseUrl, 5 * CROWD)).toBe(0);
});
