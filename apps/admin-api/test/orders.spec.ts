import { randomUUID } from 'node:crypto';
import { Checkout } from './checkout.js';
import { withDatabase } from './database.js';

const DAY_MS = 86_400_000;
const PAID_AT = new Date(Date.now() - DAY_MS).toISOString();

const checkout = Checkout.ofFile();

it('gives the access and the sessions of a paid order, and shows what each line gave', async () => {
  const student_id = await checkout.newStudent();
  const plan = await checkout.newPlan({ plan_type: 'specific_length', access_days: 100 });
  const service = await checkout.newService({ sessions_included: 3 });
  const lines = [
    { item_type: 'course_plan', item: { id: plan.id }, name: 'A course', discount_minor: 100, tax_minor: 45 },
    { item_type: 'consulting_sessions', item: { id: service.service_id }, quantity: 2, unit_amount_minor: 500 },
  ];
  const totals = { discount_minor: 100, tax_minor: 45, total_minor: 1945, payment_method: 'card', source: 'shop' };
  const made = await checkout.record(checkout.order(student_id, lines, { ...totals, paid_at: PAID_AT }));
  expect(made).toMatchObject({ state: 'paid', total_minor: 1945, refunded_minor: 0 });
  const [access, sessions] = made.line_items;

  const enrollment = await checkout.enrollmentOf(student_id, plan.course_id);
  expect(enrollment).toMatchObject({
    state: 'active',
    source: 'purchase',
    expires_at: new Date(Date.parse(PAID_AT) + 100 * DAY_MS).toISOString(),
    grants: [
      { id: access?.granted_id, source: 'order', source_id: made.order_id, plan_id: plan.id, starts_at: PAID_AT },
    ],
  });
  expect(await service.readPurchase(sessions?.granted_id ?? '')).toMatchObject({
    student_id,
    sessions_total: 6,
    purchased_at: PAID_AT,
  });
  const line = { quantity: 1, refunded_quantity: 0, taken_back: false };
  expect(await checkout.read(made.order_id)).toMatchObject({
    number: made.number,
    state: 'paid',
    student_id,
    currency: 'TWD',
    subtotal_minor: 2000,
    discount_minor: 100,
    tax_minor: 45,
    total_minor: 1945,
    payment_method: 'card',
    source: 'shop',
    item_types: ['consulting_sessions', 'course_plan'],
    paid_at: PAID_AT,
    line_items: [
      { ...line, name: 'A course', item_id: plan.id, total_minor: 945, granted_id: access?.granted_id },
      { ...line, quantity: 2, amount_minor: 1000, total_minor: 1000, granted_id: sessions?.granted_id },
    ],
    refunds: [],
  });
  const [event] = await checkout.api.events.of([made.order_id], 1);
  const actor = { member_id: null, client_id: 'storefront', via: 'command' };
  expect(event).toMatchObject({
    type: 'school.order.paid.v1',
    actor,
    data: { number: made.number, total_minor: 1945 },
  });
});

it('gives nothing before the payment, and moves a pending order once', async () => {
  const student_id = await checkout.newStudent();
  const plan = await checkout.newPlan();
  const lines = [{ item_type: 'course_plan', item: { external_id: plan.external_id } }];
  const paid = checkout.order(student_id, lines);
  const pending = { ...paid, idempotency_key: randomUUID(), state: 'pending', paid_at: null };
  const { order_id, line_items } = await checkout.record(pending);
  expect(line_items).toEqual([{ position: 1, item_type: 'course_plan', item_id: plan.id, granted_id: null }]);
  expect(await checkout.enrollmentOf(student_id, plan.course_id)).toBeUndefined();

  const first = await checkout.record(paid);
  expect(first).toMatchObject({ order_id, state: 'paid', line_items: [{ granted_id: expect.any(String) }] });
  expect(await checkout.record({ ...paid, idempotency_key: randomUUID() })).toEqual(first);
  expect(await checkout.refused({ ...pending, idempotency_key: randomUUID() })).toMatchObject({
    code: 'invalid_state',
  });
  const events = await checkout.api.events.of([order_id], 2);
  expect(events.map(({ type }) => type.split('.')[2])).toEqual(['recorded', 'paid']);
  const enrollment = await checkout.enrollmentOf(student_id, plan.course_id);
  expect(enrollment).toMatchObject({ state: 'active', grants: [{ id: first.line_items[0]?.granted_id }] });
});

it.each(['failed', 'expired'])('ends a pending order as %s, for good', async (state) => {
  const student_id = await checkout.newStudent();
  const plan = await checkout.newPlan();
  const paid = checkout.order(student_id, [{ item_type: 'course_plan', item: { id: plan.id } }]);
  const send = (given: object) => ({ ...paid, idempotency_key: randomUUID(), paid_at: null, ...given });
  await checkout.record(send({ state: 'pending' }));
  expect(await checkout.record(send({ state }))).toMatchObject({ state });
  expect(await checkout.refused(paid)).toMatchObject({ code: 'invalid_state' });
  expect(await checkout.enrollmentOf(student_id, plan.course_id)).toBeUndefined();
});

describe('a refund', () => {
  /** A paid order of a plan for 1000 and of a purchase of sessions for 600. */
  async function sold() {
    const student_id = await checkout.newStudent();
    const [plan, service] = [await checkout.newPlan(), await checkout.newService()];
    const lines = [
      { item_type: 'course_plan', item: { id: plan.id } },
      { item_type: 'consulting_sessions', item: { id: service.service_id }, quantity: 3, unit_amount_minor: 200 },
    ];
    const made = await checkout.record(checkout.order(student_id, lines));
    const purchase_id = made.line_items[1]?.granted_id ?? '';
    return { student_id, plan, service, purchase_id, order_id: made.order_id, number: made.number };
  }

  it('takes back what a refunded line gave, and nothing else', async () => {
    const { student_id, plan, service, purchase_id, order_id, number } = await sold();
    const given = { order: { number }, line_items: [{ position: 1, quantity: 1 }], reason: 'Wrong course' };
    const refunded = await checkout.refund(order_id, given);
    const state = 'partially_refunded';
    expect(refunded).toMatchObject({ order_id, state, amount_minor: 1000, refunded_minor: 1000, taken_back: [1] });
    expect(await checkout.enrollmentOf(student_id, plan.course_id)).toMatchObject({ state: 'revoked' });
    expect(await service.readPurchase(purchase_id)).toMatchObject({ state: 'active' });
    expect(await checkout.read(order_id)).toMatchObject({
      state,
      refunded_minor: 1000,
      refunded_at: '2026-10-03T08:00:00.000Z',
      line_items: [
        { refunded_quantity: 1, taken_back: true },
        { refunded_quantity: 0, taken_back: false },
      ],
      refunds: [
        {
          id: refunded.refund_id,
          amount_minor: 1000,
          line_items: [{ position: 1, quantity: 1, amount_minor: 1000 }],
          reason: 'Wrong course',
          refunded_at: '2026-10-03T08:00:00.000Z',
        },
      ],
    });
    const [, event] = await checkout.api.events.of([order_id], 2);
    expect(event).toMatchObject({ type: 'school.order.refunded.v1', data: { state, refunded_minor: 1000 } });
  });

  it('keeps access that the student has in another way', async () => {
    const { student_id, plan, order_id } = await sold();
    const body = { course_id: plan.course_id };
    await checkout.api.send('POST', `/api/v1/students/${student_id}/enrollments`, { body });
    await checkout.refund(order_id, { line_items: [{ position: 1, quantity: 1 }] });
    expect(await checkout.enrollmentOf(student_id, plan.course_id)).toMatchObject({ state: 'active' });
  });

  it('takes sessions back for some units, nothing for money, and everything for all the rest', async () => {
    const { student_id, plan, service, purchase_id, order_id } = await sold();
    expect(await checkout.refund(order_id, { amount_minor: 250 })).toMatchObject({ taken_back: [] });
    const units = { line_items: [{ position: 2, quantity: 2 }] };
    expect(await checkout.refund(order_id, units)).toMatchObject({
      amount_minor: 400,
      refunded_minor: 650,
      taken_back: [],
    });
    // Three of nine sessions are left.
    expect(await service.readPurchase(purchase_id)).toMatchObject({ state: 'active', sessions_total: 3 });
    const rest = { state: 'refunded', refunded_minor: 1600, taken_back: [1, 2] };
    expect(await checkout.refund(order_id, { amount_minor: 950 })).toMatchObject(rest);
    expect(await service.readPurchase(purchase_id)).toMatchObject({ state: 'revoked' });
    expect(await checkout.enrollmentOf(student_id, plan.course_id)).toMatchObject({ state: 'revoked' });
    expect(await checkout.refusedRefund(order_id, { amount_minor: 1 })).toMatchObject({ code: 'invalid_state' });
  });

  it('refuses a refund while a session is booked, and changes nothing then', async () => {
    const { student_id, plan, service, purchase_id, order_id } = await sold();
    const { id: slot } = await service.slot(100);
    const booking = await service.booked(slot, purchase_id);
    const whole = { amount_minor: 1600 };
    expect(await checkout.refusedRefund(order_id, whole)).toMatchObject({ code: 'resource_in_use' });
    expect(await checkout.read(order_id)).toMatchObject({ state: 'paid', refunded_minor: 0, refunds: [] });
    expect(await checkout.enrollmentOf(student_id, plan.course_id)).toMatchObject({ state: 'active' });
    await service.act(slot, booking, 'cancel');
    expect(await checkout.refund(order_id, whole)).toMatchObject({ state: 'refunded' });
  });

  it('refuses a time more than five minutes ahead of the clock, and one before the payment', async () => {
    const { order_id } = await sold();
    const paid_at = Date.parse(String((await checkout.read(order_id))['paid_at']));
    const at = (ms: number) => ({ amount_minor: 1, refunded_at: new Date(ms).toISOString() });
    const refused = { code: 'validation_failed', pointers: ['/refunded_at'] };
    expect(await checkout.refusedRefund(order_id, at(Date.now() + 6 * 60_000))).toEqual(refused);
    expect(await checkout.refusedRefund(order_id, at(paid_at - 1))).toEqual(refused);
    for (const ms of [Date.now() + 4 * 60_000, paid_at])
      expect(await checkout.refund(order_id, at(ms))).toMatchObject({ amount_minor: 1 });
  });

  it('returns not_found for an order that the site does not have', async () => {
    const given = { order: { number: 'unknown' }, amount_minor: 1 };
    expect(await checkout.refusedRefund('', given)).toMatchObject({ code: 'not_found' });
  });
});

describe('an order that does not fit', () => {
  let student_id: string;
  let plan: Awaited<ReturnType<Checkout['newPlan']>>;
  let line: Record<string, unknown>;
  beforeAll(async () => {
    student_id = await checkout.newStudent();
    plan = await checkout.newPlan();
    line = { item_type: 'course_plan', item: { id: plan.id } };
  });
  afterEach(async () => {
    expect(await checkout.enrollmentOf(student_id, plan.course_id)).toBeUndefined();
  });

  it.each<[string, object, string, string[]]>([
    ['a total', { total_minor: 999 }, 'validation_failed', ['/total_minor']],
    ['a currency', { currency: 'TWX' }, 'validation_failed', ['/currency']],
    ['an unknown student', { student: { id: randomUUID() } }, 'not_found', []],
    ['an unknown coupon', { coupon_code: 'SPRING' }, 'not_found', ['/coupon_code']],
    ['an unknown subscription', { subscription_id: randomUUID() }, 'not_found', ['/subscription_id']],
  ])('refuses %s', async (_name, given, code, pointers) => {
    const refusal = await checkout.refused({ ...checkout.order(student_id, [line]), ...given });
    expect(refusal).toEqual({ code, pointers });
  });

  it('refuses a whole order for one line that cannot be sold', async () => {
    const lines = (other: object) => checkout.order(student_id, [line, { ...line, ...other }]);
    const unknown = { item: { id: randomUUID() } };
    expect(await checkout.refused(lines(unknown))).toEqual({ code: 'not_found', pointers: ['/line_items/1/item'] });
    const repeated = { code: 'validation_failed', pointers: ['/line_items/1/item'] };
    expect(await checkout.refused(lines({}))).toEqual(repeated);
    const second = await checkout.newPlan({ plan_type: 'specific_length', access_days: 1 }, plan.course_id);
    expect(await checkout.refused(lines({ item: { id: second.id } }))).toEqual(repeated);
    const archived = await checkout.newService();
    for (const action of ['publish', 'unpublish', 'archive'])
      await checkout.api.send('POST', `${archived.path}/${action}`);
    const sessions = lines({ item_type: 'consulting_sessions', item: { id: archived.service_id } });
    expect(await checkout.refused(sessions)).toEqual({ code: 'invalid_state', pointers: ['/line_items/1'] });
  });
});

it('refuses another order with a known number', async () => {
  const student_id = await checkout.newStudent();
  const [one, other] = [await checkout.newPlan(), await checkout.newPlan()];
  const order = checkout.order(student_id, [{ item_type: 'course_plan', item: { id: one.id } }]);
  await checkout.record(order);
  const lines = checkout.order(student_id, [{ item_type: 'course_plan', item: { id: other.id } }]);
  const second = { ...lines, number: order['number'] };
  expect(await checkout.refused(second)).toEqual({ code: 'already_exists', pointers: ['/line_items'] });
  const stranger = { ...order, idempotency_key: randomUUID(), student: { id: await checkout.newStudent() } };
  expect(await checkout.refused(stranger)).toEqual({ code: 'already_exists', pointers: ['/student'] });
  expect(await checkout.enrollmentOf(student_id, other.course_id)).toBeUndefined();
});

it('shows what a member has spent and bought', async () => {
  const email = `${randomUUID()}@example.com`;
  const member_id = randomUUID();
  const { body: student } = await checkout.api.send('POST', '/api/v1/students', { body: { email } });
  await withDatabase(checkout.api.databaseUrl, async (client) => {
    await client.query(
      `insert into members (site_id, id, person_id, email, name, state, roles, joined_at, source_epoch, source_version)
       values ($1, $2, $3, $4, 'Mei Lin', 'active', '{student}', now(), 1, 1)`,
      [checkout.api.sites[0].site_id, member_id, randomUUID(), email],
    );
    await client.query('update students set member_id = $1 where id = $2', [member_id, student['id']]);
  });
  const path = `/api/v1/members/${member_id}`;
  expect((await checkout.api.send('GET', path)).body).toMatchObject({ total_spent: [] });
  const plan = await checkout.newPlan();
  const service = await checkout.newService();
  const id = String(student['id']);
  const made = await checkout.record(checkout.order(id, [{ item_type: 'course_plan', item: { id: plan.id } }]));
  const sessions = { item_type: 'consulting_sessions', item: { id: service.service_id }, unit_amount_minor: 70 };
  const { order_id: dollars } = await checkout.record(checkout.order(id, [sessions], { currency: 'USD' }));
  const before = await checkout.api.send('GET', path);
  await checkout.refund(made.order_id, { amount_minor: 300 });
  const after = await checkout.api.send('GET', path);
  expect(after.body['total_spent']).toEqual([
    { amount_minor: 700, currency: 'TWD' },
    { amount_minor: 70, currency: 'USD' },
  ]);
  expect(after.headers['etag']).not.toBe(before.headers['etag']);
  const { body } = await checkout.api.send<{ data: { id: string }[] }>('GET', `${path}/purchases`);
  expect(body.data.map((one) => one.id)).toEqual([dollars, made.order_id]);
  const most = { ...sessions, unit_amount_minor: Number.MAX_SAFE_INTEGER };
  for (const _order of [1, 2]) await checkout.record(checkout.order(id, [most], { currency: 'JPY' }));
  const spent = (await checkout.api.send('GET', path)).body['total_spent'];
  expect(spent).toContainEqual({ amount_minor: Number.MAX_SAFE_INTEGER, currency: 'JPY' });
});

it('lists only paid orders by their payment', async () => {
  const student_id = await checkout.newStudent();
  const plan = await checkout.newPlan();
  const line = { item_type: 'course_plan', item: { id: plan.id } };
  const paid = await checkout.record(checkout.order(student_id, [line]));
  await checkout.record(checkout.order(student_id, [line], { state: 'pending', paid_at: null }));
  const listed = async (sort: string): Promise<unknown[]> => {
    const path = `/api/v1/orders?student_id=${student_id}&sort=${sort}`;
    return (await checkout.api.send<{ data: { id: string }[] }>('GET', path)).body.data.map(({ id }) => id);
  };
  expect(await listed('paid_at')).toEqual([paid.order_id]);
  expect(await listed('-created_at')).toHaveLength(2);
});
