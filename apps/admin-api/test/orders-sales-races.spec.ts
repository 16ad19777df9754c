import { randomUUID } from 'node:crypto';
import { newCourse } from './new-course.js';
import { TestEvent, newStudents } from './new-events.js';
import { Shop } from './shop.js';
import type { Line } from './shop.js';

const shop = Shop.ofFile();
const { checkout } = shop;

const repeated = <T>(value: T, count: number): T[] => Array.from({ length: count }, () => value);

/** The order ten times, each as another command. */
const tenTimes = (order: object) => repeated(order, 10).map((one) => ({ ...one, idempotency_key: randomUUID() }));

/** Ten students order at the same time. Returns the sorted outcomes. */
async function tenOrders(linesOf: (index: number) => readonly Line[], given: object = {}): Promise<string[]> {
  const students = await newStudents(shop.api, 10);
  const orders = students.map((id, index) => checkout.order(id, linesOf(index), { ...given }));
  return (await checkout.race(orders.map((order) => () => checkout.record(order)))).toSorted();
}
const ONE_OF_TEN = ['done', ...repeated('invalid_state', 9)];

it('sells the last seat of an event once', async () => {
  const { event, line } = await shop.seat({ capacity: 1 });
  expect(await tenOrders(() => [line])).toEqual(ONE_OF_TEN);
  expect(await event.states()).toEqual(['registered']);
  expect(await event.read()).toMatchObject({ registrations_count: 1 });
});

it('sells the last membership of a plan once', async () => {
  const { path, line } = await shop.membership({ quantity: 1 });
  expect(await tenOrders(() => [line])).toEqual(ONE_OF_TEN);
  expect(await shop.read(path)).toMatchObject({ sold_count: 1 });
});

it('redeems the last redemption of a coupon once', async () => {
  const { id, code } = await shop.coupons.coupon({ max_redemptions: 1 });
  const { path, line } = await shop.product();
  const lines = [{ ...line, discount_minor: 100 }];
  expect(await tenOrders(() => lines, shop.discounted(code, 100))).toEqual(ONE_OF_TEN);
  expect(await shop.coupons.read(id)).toMatchObject({ redeemed_count: 1, state: 'exhausted' });
  expect(await shop.read(path)).toMatchObject({ sold_count: 1 });
});

it('redeems what refunds give back at the same time, and never more', async () => {
  const { id, code } = await shop.coupons.coupon({ max_redemptions: 10 });
  const { path, line } = await shop.membership({ course_ids: [(await newCourse(shop.api)).id] });
  const lines = [{ ...line, discount_minor: 100 }];
  const given = shop.discounted(code, 100);
  const buyers = await newStudents(shop.api, 5);
  const orders = await Promise.all(buyers.map((student_id) => shop.sell(student_id, lines, given)));
  const [refunds, outcomes] = await Promise.all([
    checkout.race(
      orders.map(
        ({ order_id }) =>
          () =>
            checkout.refund(order_id, { amount_minor: 900 }),
      ),
    ),
    tenOrders(() => lines, given),
  ]);
  expect(refunds).toEqual(repeated('done', 5));
  const sold = outcomes.filter((one) => one === 'done').length;
  expect(sold).toBeGreaterThanOrEqual(5);
  expect(outcomes).toEqual([...repeated('done', sold), ...repeated('invalid_state', 10 - sold)]);
  expect(await shop.coupons.read(id)).toMatchObject({ redeemed_count: sold });
  expect(await shop.read(path)).toMatchObject({ sold_count: sold });
});

it('gives one of each when one order comes ten times at once', async () => {
  const { id, code } = await shop.coupons.coupon();
  const [membership, seat, product] = [await shop.membership(), await shop.seat(), await shop.product()];
  const lines = [membership, seat, product].map(({ line }) => ({ ...line, discount_minor: 100 }));
  const order = checkout.order(await checkout.newStudent(), lines, shop.discounted(code, 300, 3000));
  const results = await Promise.all(tenTimes(order).map((one) => checkout.record(one)));
  for (const result of results) expect(result).toEqual(results[0]);
  expect(await shop.read(membership.path)).toMatchObject({ sold_count: 1 });
  expect(await shop.read(product.path)).toMatchObject({ sold_count: 1 });
  expect(await seat.event.states()).toEqual(['registered']);
  expect(await shop.coupons.read(id)).toMatchObject({ redeemed_count: 1 });
});

it('renews a subscription by one order once when it comes ten times at once', async () => {
  const prices = [{ interval: 'year', price: { amount_minor: 1000, currency: 'TWD' } }];
  const { line } = await shop.membership({ plan_type: 'recurring', prices });
  const student_id = await checkout.newStudent();
  const [sold] = (await shop.sell(student_id, [line])).line_items;
  const end = (await shop.subscription(sold?.granted_id))['current_period_end'];
  const order = checkout.order(student_id, [line], { subscription_id: sold?.granted_id });
  const outcomes = await checkout.race(tenTimes(order).map((one) => () => checkout.record(one)));
  expect(outcomes).toEqual(repeated('done', 10));
  expect(await shop.subscription(sold?.granted_id)).toMatchObject({ current_period_start: end });
});

it('sells plans, courses of them and tickets in all orders at once without a deadlock', async () => {
  const courses = [await shop.coursePlan(), await shop.coursePlan(), await shop.coursePlan()];
  const course_ids = courses.map(({ course_id }) => course_id);
  const plans = [await shop.membership({ course_ids }), await shop.membership({ course_ids: course_ids.toReversed() })];
  const events = [await TestEvent.open(shop.api), await TestEvent.open(shop.api)];
  const seats = [await shop.seat({}, events[0]), await shop.seat({}, events[1]), await shop.seat({}, events[0])];
  const mixes = [
    [courses[2], plans[0]],
    [plans[0]],
    [courses[0], courses[1]],
    [plans[1], courses[1], seats[0], seats[1]],
    [seats[1], seats[2]],
  ].map((of) => of.flatMap((one) => (one === undefined ? [] : [one.line])));
  for (let round = 0; round < 3; round += 1) {
    const outcomes = await tenOrders((index) => mixes[index % mixes.length] ?? []);
    expect(outcomes).toEqual(repeated('done', 10));
  }
  expect(await Promise.all(plans.map(({ path }) => shop.read(path)))).toMatchObject([
    { sold_count: 12 },
    { sold_count: 6 },
  ]);
});
