import { randomUUID } from 'node:crypto';
import { Checkout } from './checkout.js';

const checkout = Checkout.ofFile();

const repeated = <T>(value: T, count: number): T[] => Array.from({ length: count }, () => value);
const again = (order: Record<string, unknown>, given: object = {}) => ({
  ...order,
  idempotency_key: randomUUID(),
  ...given,
});

/** A paid order of a plan for 1000 and of sessions for 1000, which is not recorded yet. */
async function newOrder() {
  const student_id = await checkout.newStudent();
  const [plan, service] = [await checkout.newPlan(), await checkout.newService({ sessions_included: 1 })];
  const order = checkout.order(student_id, [
    { item_type: 'course_plan', item: { id: plan.id } },
    { item_type: 'consulting_sessions', item: { id: service.service_id } },
  ]);
  return { student_id, plan, service, order };
}

it('records one order when one number comes ten times at once', async () => {
  const { student_id, plan, service, order } = await newOrder();
  const results = await Promise.all(repeated(order, 10).map((one) => checkout.record(again(one))));
  for (const result of results) expect(result).toEqual(results[0]);
  expect((await checkout.enrollmentOf(student_id, plan.course_id))?.['grants']).toHaveLength(1);
  const { body } = await checkout.api.send<{ data: unknown[] }>(
    'GET',
    `${service.path}/purchases?student_id=${student_id}`,
  );
  expect(body.data).toHaveLength(1);
  expect((await checkout.api.events.of([results[0]?.order_id ?? ''], 1)).map(({ type }) => type)).toEqual([
    'school.order.paid.v1',
  ]);
});

it('records one of two orders of two students with one number', async () => {
  const [one, other] = [await newOrder(), await newOrder()];
  const number = one.order['number'];
  const outcomes = await checkout.race(
    [one, other].map(
      ({ order }) =>
        () =>
          checkout.record(again(order, { number })),
    ),
  );
  expect(outcomes.toSorted()).toEqual(['already_exists', 'done']);
  const { body } = await checkout.api.send<{ data: unknown[] }>('GET', `/api/v1/orders?number=${String(number)}`);
  expect(body.data).toHaveLength(1);
});

it('refunds an order once when ten refunds of all come at once', async () => {
  const { student_id, plan, order } = await newOrder();
  const { order_id } = await checkout.record(order);
  const outcomes = await checkout.race(repeated(() => checkout.refund(order_id, { amount_minor: 2000 }), 10));
  expect(outcomes.toSorted()).toEqual(['done', ...repeated('invalid_state', 9)]);
  expect(await checkout.read(order_id)).toMatchObject({ state: 'refunded', refunded_minor: 2000 });
  expect(await checkout.enrollmentOf(student_id, plan.course_id)).toMatchObject({ state: 'revoked' });
});

it('refunds no more than was paid when parts are refunded at once', async () => {
  const { order } = await newOrder();
  const { order_id } = await checkout.record(order);
  const outcomes = await checkout.race(repeated(() => checkout.refund(order_id, { amount_minor: 300 }), 10));
  expect(outcomes.toSorted()).toEqual([...repeated('done', 6), ...repeated('invalid_state', 4)]);
  const { refunded_minor, refunds } = await checkout.read(order_id);
  expect(refunded_minor).toBe(1800);
  expect(refunds).toHaveLength(6);
});

it('gives nothing back when a record of the payment comes with or after its refund', async () => {
  const { student_id, plan, order } = await newOrder();
  const { order_id } = await checkout.record(order);
  const refund = () => checkout.refund(order_id, { amount_minor: 2000 });
  const outcomes = await checkout.race([refund, ...repeated(() => checkout.record(again(order)), 5)]);
  expect(outcomes).toEqual(repeated('done', 6));
  expect(await checkout.record(again(order))).toMatchObject({ state: 'refunded' });
  expect(await checkout.enrollmentOf(student_id, plan.course_id)).toMatchObject({ state: 'revoked' });
});

it('books the last session or refunds it, and never both', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { service, order } = await newOrder();
    const { order_id, line_items } = await checkout.record(order);
    const purchase_id = line_items[1]?.granted_id ?? '';
    const slots = [await service.slot(100), await service.slot(101)];
    const [refund, ...bookings] = await Promise.all([
      checkout.race([() => checkout.refund(order_id, { line_items: [{ position: 2, quantity: 1 }] })]),
      ...slots.map(({ id }) => service.book(id, purchase_id)),
    ]);
    const booked = bookings.filter(({ status }) => status === 201).length;
    expect([refund[0], booked]).toEqual(booked === 1 ? ['resource_in_use', 1] : ['done', 0]);
    const purchase = await service.readPurchase(purchase_id);
    expect([purchase['state'], purchase['sessions_used']]).toEqual(booked === 1 ? ['active', 1] : ['revoked', 0]);
  }
});

it('sells two courses in both orders at once without a deadlock', async () => {
  const plans = [await checkout.newPlan(), await checkout.newPlan()];
  // The second plan of the first course has a later id than the plan of the second course.
  const mixed = [await checkout.newPlan({}, plans[0]?.course_id), plans[1] ?? plans[0]];
  const students = await Promise.all(repeated(undefined, 8).map(() => checkout.newStudent()));
  const orders = students.map((student_id, index) => {
    const lines = (index % 2 === 0 ? plans : mixed.toReversed()).map((plan) => {
      return { item_type: 'course_plan', item: { id: plan?.id ?? '' } };
    });
    return checkout.order(student_id, lines);
  });
  const outcomes = await checkout.race(orders.map((order) => () => checkout.record(order)));
  expect(outcomes).toEqual(repeated('done', 8));
  for (const { course_id } of plans) {
    const { body } = await checkout.api.send('GET', `/api/v1/courses/${course_id}`);
    expect(body).toMatchObject({ enrollments_count: 8 });
  }
});
