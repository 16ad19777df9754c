import { randomUUID } from 'node:crypto';
import { SeatingService } from '#src/event-registrations/seating.service.js';
import type { Checkout } from './checkout.js';
import { withDatabase } from './database.js';
import { newCourse } from './new-course.js';
import { TestEvent } from './new-events.js';
import { Shop } from './shop.js';

const MONTHLY = {
  plan_type: 'recurring',
  prices: [{ interval: 'month', price: { amount_minor: 1000, currency: 'TWD' } }],
};
const WHOLE = { line_items: [{ position: 1, quantity: 1 }] };

const shop = Shop.ofFile();
const { checkout } = shop;

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

describe('an order of a membership plan', () => {
  it('starts a subscription with access to the courses, and a refund ends both', async () => {
    const { id: course_id } = await newCourse(shop.api);
    const { path, line } = await shop.membership({ course_ids: [course_id] });
    const student_id = await checkout.newStudent();
    const { order_id, line_items } = await shop.sell(student_id, [line]);
    const id = line_items[0]?.granted_id;
    expect(await shop.subscription(id)).toMatchObject({ state: 'active', student_id, is_lifetime: true });
    expect(await checkout.enrollmentOf(student_id, course_id)).toMatchObject({ state: 'active' });
    expect(await shop.read(path)).toMatchObject({ sold_count: 1 });
    expect(await checkout.refund(order_id, WHOLE)).toMatchObject({ state: 'refunded', taken_back: [1] });
    expect(await shop.subscription(id)).toMatchObject({ state: 'canceled' });
    expect(await checkout.enrollmentOf(student_id, course_id)).toMatchObject({ state: 'revoked' });
    expect(await shop.read(path)).toMatchObject({ sold_count: 0 });
  });

  it('sells one such plan, which only the id of its price names', async () => {
    const [one, other] = [await shop.membership(), await shop.membership()];
    const student_id = await checkout.newStudent();
    expect(await checkout.refused(checkout.order(student_id, [one.line, other.line]))).toEqual({
      code: 'validation_failed',
      pointers: ['/line_items/1/item_type'],
    });
    const keyed = { item_type: 'membership_plan', item: { external_id: 'a-price' } };
    expect(await checkout.refused(checkout.order(student_id, [keyed]))).toEqual({
      code: 'not_found',
      pointers: ['/line_items/0/item'],
    });
  });
});

it('sells no course plan that is not active, and refunds one that was sold before', async () => {
  const { id, course_id, line } = await shop.coursePlan();
  const [student_id, other] = [await checkout.newStudent(), await checkout.newStudent()];
  const order = checkout.order(student_id, [line]);
  const { order_id } = await checkout.record(order);
  await shop.api.send('PATCH', `/api/v1/courses/${course_id}/plans/${id}`, { body: { active: false } });
  expect(await checkout.refused(checkout.order(other, [line]))).toEqual({
    code: 'invalid_state',
    pointers: ['/line_items/0/item'],
  });
  expect(await checkout.enrollmentOf(other, course_id)).toBeUndefined();
  expect(await checkout.record({ ...order, idempotency_key: randomUUID() })).toMatchObject({ order_id, state: 'paid' });
  expect(await checkout.refund(order_id, WHOLE)).toMatchObject({ taken_back: [1] });
  expect(await checkout.enrollmentOf(student_id, course_id)).toMatchObject({ state: 'revoked' });
});

it('registers the buyer of a ticket, and a refund frees the place', async () => {
  const { event, line } = await shop.seat({ capacity: 1 });
  const [student_id, other] = [await checkout.newStudent(), await checkout.newStudent()];
  const { order_id, line_items } = await shop.sell(student_id, [line]);
  expect(await shop.read(`${event.path}/registrations/${line_items[0]?.granted_id ?? ''}`)).toMatchObject({
    student_id,
    order_id,
    state: 'registered',
    source: 'order',
  });
  const soldOut = { code: 'invalid_state', pointers: ['/line_items/0/item'] };
  expect(await checkout.refused(checkout.order(other, [line]))).toEqual(soldOut);
  await checkout.refund(order_id, WHOLE);
  expect(await event.states()).toEqual(['canceled']);
  await shop.sell(other, [line]);
  expect(await event.read()).toMatchObject({ registrations_count: 1 });
});

it('keeps the attendance of a refunded ticket', async () => {
  const event = await TestEvent.open(shop.api, { hours: 0.5 });
  const { line } = await shop.seat({}, event);
  const { order_id, line_items } = await shop.sell(await checkout.newStudent(), [line], { paid_at: minutesAgo(1) });
  const id = line_items[0]?.granted_id ?? '';
  expect((await event.move(id, 'check_in')).body).toMatchObject({ state: 'checked_in' });
  const attended = await shop.read(`${event.path}/registrations/${id}`);
  expect(await checkout.refund(order_id, { ...WHOLE, refunded_at: new Date().toISOString() })).toMatchObject({
    state: 'refunded',
    taken_back: [],
  });
  expect(await shop.read(`${event.path}/registrations/${id}`)).toEqual(attended);
  expect(await event.read()).toMatchObject({ registrations_count: 1 });
  expect(await checkout.read(order_id)).toMatchObject({ line_items: [{ refunded_quantity: 1, taken_back: false }] });
});

it('gives a digital product, and a refund takes it back', async () => {
  const { path, line } = await shop.product();
  const student_id = await checkout.newStudent();
  const { order_id, line_items } = await shop.sell(student_id, [line]);
  const grant = `${path}/purchases/${line_items[0]?.granted_id ?? ''}`;
  expect(await shop.read(grant)).toMatchObject({ student_id, state: 'active', source: 'order' });
  expect(await shop.read(path)).toMatchObject({ sold_count: 1 });
  await checkout.refund(order_id, WHOLE);
  expect(await shop.read(grant)).toMatchObject({ state: 'revoked' });
  expect(await shop.read(path)).toMatchObject({ sold_count: 0 });
});

it('sells one of each in one order, or nothing of it', async () => {
  const [membership, course, seat, product] = [
    await shop.membership(),
    await shop.coursePlan(),
    await shop.seat({ capacity: 1 }),
    await shop.product(),
  ];
  const lines = [membership, course, seat, product].map(({ line }) => line);
  const [student_id, other] = [await checkout.newStudent(), await checkout.newStudent()];
  const { order_id, line_items } = await shop.sell(student_id, lines);
  const given = line_items.map(({ granted_id }) => granted_id);
  expect(new Set(given).size).toBe(4);
  expect(given).not.toContain(null);
  expect(await checkout.refused(checkout.order(other, lines))).toMatchObject({ code: 'invalid_state' });
  expect(await checkout.enrollmentOf(other, course.course_id)).toBeUndefined();
  expect(await shop.read(membership.path)).toMatchObject({ sold_count: 1 });
  expect(await shop.read(product.path)).toMatchObject({ sold_count: 1 });
  expect(await checkout.refund(order_id, { amount_minor: 4000 })).toMatchObject({ taken_back: [1, 2, 3, 4] });
  expect(await shop.subscription(given[0])).toMatchObject({ state: 'canceled' });
  expect(await seat.event.states()).toEqual(['canceled']);
});

describe('a coupon', () => {
  it('counts with a paid order, and returns with a full refund', async () => {
    const { id, code } = await shop.coupons.coupon({ max_redemptions: 1 });
    const { line } = await shop.product();
    const lines = [{ ...line, discount_minor: 100 }];
    const student_id = await checkout.newStudent();
    const paid = checkout.order(student_id, lines, shop.discounted(code.toLowerCase(), 100));
    await checkout.record({ ...paid, idempotency_key: randomUUID(), state: 'pending', paid_at: null });
    expect(await shop.coupons.read(id)).toMatchObject({ redeemed_count: 0 });
    const { order_id } = await checkout.record(paid);
    expect(await shop.coupons.redemptions(id)).toMatchObject([
      { order_id, student_id, discount: { amount_minor: 100, currency: 'TWD' }, restored_at: null },
    ]);
    expect(await checkout.refused(checkout.order(student_id, lines, shop.discounted(code, 100)))).toEqual({
      code: 'invalid_state',
      pointers: ['/coupon_code'],
    });
    await checkout.refund(order_id, { amount_minor: 300 });
    expect(await shop.coupons.read(id)).toMatchObject({ redeemed_count: 1 });
    await checkout.refund(order_id, { amount_minor: 600 });
    expect(await shop.coupons.read(id)).toMatchObject({ redeemed_count: 0 });
  });

  it.each(['course', 'membership_plan', 'event'])('covers items of the %s that it names', async (of) => {
    const course = await shop.coursePlan();
    const membership = await shop.membership();
    const seat = await shop.seat();
    const [id, line] = {
      course: [course.course_id, course.line] as const,
      membership_plan: [membership.id, membership.line] as const,
      event: [seat.event.id, seat.line] as const,
    }[of] ?? ['', course.line];
    const { code } = await shop.coupons.coupon({ applies_to: { ids: [id] } });
    const { line: other } = await shop.product();
    const totals = { coupon_code: code, discount_minor: 100, total_minor: 1900 };
    const lines = [other, { ...line, discount_minor: 100 }];
    expect(await shop.sell(await checkout.newStudent(), lines, totals)).toMatchObject({ state: 'paid' });
  });

  it('refuses an order with another discount than it gives, and counts nothing then', async () => {
    const { id, code } = await shop.coupons.coupon();
    const lines = [await shop.product(), await shop.product()].map(({ line }, index) => ({
      ...line,
      discount_minor: 50 + index * 100,
    }));
    const student_id = await checkout.newStudent();
    const order = (given: object) => checkout.order(student_id, lines, { coupon_code: code, ...given });
    const pointers = [0, 1].map((line) => `/line_items/${line}/discount_minor`);
    expect(await checkout.refused(order({ discount_minor: 200, total_minor: 1800 }))).toMatchObject({ pointers });
    expect(await checkout.refused(order({ coupon_code: 'UNKNOWN', discount_minor: 200, total_minor: 1800 }))).toEqual({
      code: 'not_found',
      pointers: ['/coupon_code'],
    });
    expect(await shop.coupons.read(id)).toMatchObject({ redeemed_count: 0 });
    const { body } = await shop.api.send<{ data: unknown[] }>('GET', `/api/v1/orders?student_id=${student_id}`);
    expect(body.data).toEqual([]);
  });
});

describe('a renewal', () => {
  /** A subscription that an order sold, and an order that renews it. */
  async function subscribed() {
    const { line } = await shop.membership(MONTHLY);
    const student_id = await checkout.newStudent();
    const paid_at = minutesAgo(10);
    const { line_items } = await shop.sell(student_id, [line], { paid_at });
    const subscription_id = line_items[0]?.granted_id ?? '';
    const order = (given: object = {}) =>
      checkout.order(student_id, [line], { subscription_id, paid_at: minutesAgo(1), ...given });
    const end = (await shop.subscription(subscription_id))['current_period_end'];
    return { line, student_id, subscription_id, order, end };
  }

  it('gives the next period once, and a refund takes that period back', async () => {
    const { subscription_id, order, end } = await subscribed();
    const renewal = order({ subscription_id: subscription_id.toUpperCase() });
    await checkout.record({ ...renewal, idempotency_key: randomUUID(), state: 'pending', paid_at: null });
    const { order_id, line_items } = await checkout.record(renewal);
    expect(line_items).toMatchObject([{ granted_id: subscription_id }]);
    const renewed = await shop.subscription(subscription_id);
    expect(renewed).toMatchObject({ state: 'active', current_period_start: end });
    await checkout.record({ ...renewal, idempotency_key: randomUUID() });
    expect(await shop.subscription(subscription_id)).toEqual(renewed);
    await checkout.refund(order_id, { ...WHOLE, refunded_at: new Date().toISOString() });
    expect(await shop.subscription(subscription_id)).toMatchObject({ state: 'active', current_period_end: end });
  });

  it.each(['at once', 'after it was pending'])('makes the subscription past due when it fails %s', async (when) => {
    const { subscription_id, order, end } = await subscribed();
    const failed = order({ state: 'failed', paid_at: null });
    if (when !== 'at once') {
      await checkout.record({ ...failed, idempotency_key: randomUUID(), state: 'pending' });
      expect(await shop.subscription(subscription_id)).toMatchObject({ state: 'active' });
    }
    expect(await checkout.record(failed)).toMatchObject({ line_items: [{ granted_id: null }] });
    expect(await shop.subscription(subscription_id)).toMatchObject({ state: 'past_due', current_period_end: end });
    await checkout.record(order());
    expect(await shop.subscription(subscription_id)).toMatchObject({ state: 'active', current_period_start: end });
  });

  it('leaves the subscription as it is when it fails after another order has paid', async () => {
    const { subscription_id, order } = await subscribed();
    const failed = order({ state: 'failed', paid_at: null });
    await checkout.record({ ...failed, idempotency_key: randomUUID(), state: 'pending' });
    await checkout.record(order());
    const renewed = { ...(await shop.subscription(subscription_id)), state: 'active' };
    await checkout.record(failed);
    expect(await shop.subscription(subscription_id)).toEqual(renewed);
  });

  it.each(['at once', 'after it was pending'])('fails %s also when the subscription has ended', async (when) => {
    const { subscription_id, order } = await subscribed();
    const failed = order({ state: 'failed', paid_at: null });
    if (when !== 'at once') await checkout.record({ ...failed, idempotency_key: randomUUID(), state: 'pending' });
    const path = `/api/v1/subscriptions/${subscription_id}`;
    expect((await shop.api.send('POST', `${path}/cancel`, { body: { at_period_end: false } })).status).toBe(200);
    const ended = await shop.subscription(subscription_id);
    expect(await checkout.record(failed)).toMatchObject({ state: 'failed' });
    expect(await shop.subscription(subscription_id)).toEqual(ended);
    expect(ended).toMatchObject({ state: 'canceled' });
  });

  it('renews a subscription of the student alone, with a price of its plan', async () => {
    const { line, student_id, subscription_id, order, end } = await subscribed();
    const stranger = checkout.order(await checkout.newStudent(), [line], { subscription_id });
    const unknown = { code: 'not_found', pointers: ['/subscription_id'] };
    expect(await checkout.refused(stranger)).toEqual(unknown);
    expect(await checkout.refused(order({ subscription_id: randomUUID() }))).toEqual(unknown);
    const renewing = (lines: Parameters<Checkout['order']>[1]) =>
      checkout.refused(checkout.order(student_id, lines, { subscription_id }));
    expect(await renewing([(await shop.coursePlan()).line])).toEqual({
      code: 'validation_failed',
      pointers: ['/line_items'],
    });
    expect(await renewing([(await shop.membership(MONTHLY)).line])).toEqual({
      code: 'validation_failed',
      pointers: ['/line_items/0/item'],
    });
    expect(await shop.subscription(subscription_id)).toMatchObject({ current_period_end: end });
  });
});

it('registers a buyer who paid before the end of an event, also when the clock has ended it', async () => {
  const event = await TestEvent.open(shop.api);
  const { line } = await shop.seat({}, event);
  const order = async (paid_at: string) => checkout.order(await checkout.newStudent(), [line], { paid_at });
  const [early, late] = [await order(minutesAgo(3)), await order(minutesAgo(1))];
  const query = (text: string) => withDatabase(shop.api.databaseUrl, (client) => client.query(text, [event.id]));
  const times = `starts_at = now() - interval '4 minutes', ends_at = now() - interval '2 minutes'`;
  await query(`update events set ${times} where id = $1`);
  const clock = shop.api.service.app.get(SeatingService, { strict: false });
  while ((await clock.followClock(100)) > 0);
  expect((await query('select state from events where id = $1')).rows).toEqual([{ state: 'ended' }]);
  expect(await checkout.refused(late)).toEqual({ code: 'invalid_state', pointers: ['/line_items/0/item'] });
  expect(await checkout.record(early)).toMatchObject({ state: 'paid' });
  expect(await event.states()).toEqual(['registered']);
});

it('refuses two tickets of one event', async () => {
  const event = await TestEvent.open(shop.api);
  const lines = [await shop.seat({}, event), await shop.seat({}, event)].map(({ line }) => line);
  const order = checkout.order(await checkout.newStudent(), lines);
  expect(await checkout.refused(order)).toMatchObject({ code: 'validation_failed' });
  expect(await event.states()).toEqual([]);
});
