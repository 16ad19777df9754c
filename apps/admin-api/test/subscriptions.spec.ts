import { randomUUID } from 'node:crypto';
import { ApiError } from '@lyceum/errors';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { MONTHLY, TestSubscriptions, after } from './test-subscriptions.js';
import type { Shown } from './test-subscriptions.js';

const DAY_MS = 86_400_000;

let api: TestApi;
let t: TestSubscriptions;
beforeAll(async () => {
  api = await startAdminApi();
  t = new TestSubscriptions(api);
});
afterAll(() => api.stop());

describe('a subscription', () => {
  it('gives access to the courses of the plan until the end of the grace, and publishes itself', async () => {
    const of = await t.offer({}, 2);
    const made = await t.start(of, { external_id: randomUUID() });
    expect(made).toMatchObject({
      state: 'active',
      plan_id: of.plan.id,
      is_lifetime: false,
      cancel_at_period_end: false,
    });
    expect(made['next_charge_at']).toBe(made.current_period_end);
    const end = after(made.current_period_end, 7).toISOString();
    expect(await t.access(of.student_id)).toEqual(Object.fromEntries(of.course_ids.map((id) => [id, ['active', end]])));
    expect(await t.soldCount(of.plan)).toBe(1);
    const [event] = await api.events.of([made.id], 1);
    expect(event).toMatchObject({
      type: 'school.subscription.created.v1',
      data: { student_id: of.student_id, plan_name: 'A plan', state: 'active', price_id: of.price_id },
    });
  });

  it('gives access for life without an end', async () => {
    const of = await t.offer({ plan_type: 'lifetime', prices: [{ price: { amount_minor: 1, currency: 'TWD' } }] });
    expect(await t.start(of)).toMatchObject({ is_lifetime: true, current_period_end: null, next_charge_at: null });
    expect(await t.access(of.student_id)).toEqual({ [of.course_ids[0] ?? '']: ['active', null] });
  });

  it('gives nothing while it waits for its first payment', async () => {
    const of = await t.offer();
    const made = await t.start(of, { state: 'incomplete' });
    expect(await t.access(of.student_id)).toEqual({});
    await t.renew(made);
    expect(await t.read(made)).toMatchObject({ state: 'active', current_period_end: expect.any(String) });
    expect(Object.keys(await t.access(of.student_id))).toEqual(of.course_ids);
    expect(await t.names(made.id, 2)).toEqual(['created', 'activated']);
  });

  it('refuses a price of another site, a plan that is not for sale and a sold-out one', async () => {
    const { student_id } = await t.offer();
    const draft = await t.offer({ state: 'draft' });
    const full = await t.offer({ quantity: 1 });
    await t.start(full);
    for (const [price_id, status, errors] of [
      [randomUUID(), 404, undefined],
      [draft.price_id, 409, [{ pointer: '/price_id', code: 'not_for_sale' }]],
      [full.price_id, 409, [{ pointer: '/price_id', code: 'sold_out' }]],
    ] as const) {
      const refused = await api.send('POST', '/api/v1/subscriptions', { body: { student_id, price_id } });
      expect(refused.status).toBe(status);
      if (errors !== undefined) expect(refused.body['errors']).toEqual([expect.objectContaining(errors[0])]);
    }
  });

  it('moves access and the next payment with the end of its period', async () => {
    const of = await t.offer();
    const made = await t.start(of);
    const end = '2098-03-01T00:00:00.000Z';
    const moved = await api.send('PATCH', t.path(made), { body: { current_period_end: end } });
    expect(moved.body).toMatchObject({ current_period_end: end, next_charge_at: end });
    expect(await t.access(of.student_id)).toEqual({ [of.course_ids[0] ?? '']: ['active', '2098-03-08T00:00:00.000Z'] });
  });

  it('follows the days of grace of the school', async () => {
    await api.send('PATCH', '/api/v1/school', { body: { subscription_grace_days: 0 } });
    const of = await t.offer();
    const made = await t.start(of);
    await api.send('PATCH', '/api/v1/school', { body: { subscription_grace_days: 7 } });
    expect(await t.access(of.student_id)).toEqual({ [of.course_ids[0] ?? '']: ['active', made.current_period_end] });
  });
});

describe('a cancellation', () => {
  it('ends access with the period, and is undone until then', async () => {
    const of = await t.offer();
    const made = await t.start(of);
    const course = of.course_ids[0] ?? '';
    const canceled = await api.send('POST', t.path(made, '/cancel'), { body: { reason: 'Moves' } });
    expect(canceled.body).toMatchObject({ state: 'active', cancel_at_period_end: true, cancel_reason: 'Moves' });
    expect(canceled.body['next_charge_at']).toBeNull();
    expect(await t.access(of.student_id)).toEqual({ [course]: ['active', made.current_period_end] });
    const resumed = await api.send('POST', t.path(made, '/resume'));
    expect(resumed.body).toMatchObject({ cancel_at_period_end: false, cancel_reason: null });
    expect(await t.access(of.student_id)).toEqual({
      [course]: ['active', after(made.current_period_end, 7).toISOString()],
    });
    await api.send('POST', t.path(made, '/cancel'), { body: {} });
    await t.clock(new Date(made.current_period_end));
    expect(await t.read(made)).toMatchObject({ state: 'canceled', ended_at: made.current_period_end });
    expect((await api.send('POST', t.path(made, '/resume'))).body['code']).toBe('invalid_state');
  });

  it('stays when another site resumes it', async () => {
    const made = await t.start(await t.offer());
    await api.send('POST', t.path(made, '/cancel'), { body: {} });
    expect((await api.send('POST', t.path(made, '/resume'), { site: api.sites[1] })).status).toBe(404);
    expect(await t.read(made)).toMatchObject({ cancel_at_period_end: true });
  });

  it('takes access back now, and keeps that of other sources', async () => {
    const of = await t.offer({}, 2);
    const [kept = '', lost = ''] = of.course_ids;
    const made = await t.start(of);
    await api.send('POST', `/api/v1/students/${of.student_id}/enrollments`, { body: { course_id: kept } });
    const body = { at_period_end: false };
    expect((await api.send('POST', t.path(made, '/cancel'), { body })).body).toMatchObject({ state: 'canceled' });
    expect(await t.access(of.student_id)).toMatchObject({
      [kept]: ['active', null],
      [lost]: ['revoked', expect.any(String)],
    });
    expect(await t.soldCount(of.plan)).toBe(1);
  });
});

describe('the clock', () => {
  it('ends a trial and its grace, when two replicas run it', async () => {
    const of = await t.offer({ prices: [{ ...MONTHLY.prices[0], trial_days: 14 }] });
    const sold = await t.sell(of);
    const trial = await t.read(sold);
    expect(trial).toMatchObject({ state: 'trialing', trial_ends_at: trial.current_period_end });
    const end = new Date(trial.current_period_end);
    await Promise.all([t.clock(end), t.clock(end)]);
    expect(await t.read(sold)).toMatchObject({ state: 'past_due' });
    await t.clock(after(trial.current_period_end, 7));
    expect(await t.read(sold)).toMatchObject({
      state: 'expired',
      ended_at: after(trial.current_period_end, 7).toISOString(),
    });
    expect(await t.access(of.student_id)).toMatchObject({ [of.course_ids[0] ?? '']: ['revoked', expect.any(String)] });
    expect(await t.names(sold.id, 3)).toEqual(['created', 'past_due', 'expired']);
  });

  it('shows a state that it has not written yet, and lists by it only what is in it', async () => {
    const of = await t.offer();
    const { id } = await t.sell(of, new Date(Date.now() - 33 * DAY_MS));
    const shown = await t.read({ id });
    expect(shown).toMatchObject({ state: 'past_due' });
    const listed = async (state: string): Promise<unknown[]> => {
      const query = `student_id=${of.student_id}&state=${state}`;
      return (await api.send<{ data: Shown[] }>('GET', `/api/v1/subscriptions?${query}`)).body.data.map(
        (one) => one.id,
      );
    };
    expect(await listed('active')).toEqual([]);
    await t.clock(new Date());
    expect([await listed('past_due'), await listed('active')]).toEqual([[id], []]);
  });
});

describe('an order', () => {
  it('renews from the previous end, once for each order, and extends access', async () => {
    const of = await t.offer();
    const sold = await t.sell(of, new Date('2090-01-31T10:00:00.000Z'));
    const order_id = randomUUID();
    const at = new Date('2090-03-05T00:00:00.000Z');
    await t.renew(sold, { order_id, paid: false, at });
    expect(await t.read(sold)).toMatchObject({ state: 'past_due', current_period_end: '2090-02-28T10:00:00.000Z' });
    for (let repeated = 0; repeated < 2; repeated += 1) await t.renew(sold, { order_id, at });
    expect(await t.read(sold)).toMatchObject({
      state: 'active',
      current_period_start: '2090-02-28T10:00:00.000Z',
      current_period_end: '2090-03-31T10:00:00.000Z',
    });
    expect(await t.access(of.student_id)).toMatchObject({
      [of.course_ids[0] ?? '']: [expect.any(String), '2090-04-07T10:00:00.000Z'],
    });
    expect(await t.names(sold.id, 3)).toEqual(['created', 'past_due', 'renewed']);
  });

  it('continues a subscription that expired after the payment and before its record', async () => {
    const of = await t.offer();
    const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);
    const sold = await t.sell(of, ago(40));
    const { current_period_end } = await t.read(sold);
    await t.clock(new Date());
    expect(await t.read(sold)).toMatchObject({ state: 'expired' });
    await expect(t.renew(sold, { at: new Date() })).rejects.toMatchObject({ code: 'invalid_state' });
    await t.renew(sold, { at: new Date(Date.parse(current_period_end) + 6 * DAY_MS) });
    expect(await t.read(sold)).toMatchObject({
      state: 'active',
      ended_at: null,
      current_period_start: current_period_end,
    });
    expect(await t.access(of.student_id)).toMatchObject({ [of.course_ids[0] ?? '']: ['active', expect.any(String)] });
  });

  it('counts a sale no more once it is refunded after the end, and continues it by no late payment', async () => {
    const of = await t.offer();
    const sold = await t.sell(of, new Date(Date.now() - 40 * DAY_MS));
    const { current_period_end } = await t.read(sold);
    await t.clock(new Date());
    await t.takeBack(sold.order_id);
    expect(await t.read(sold)).toMatchObject({ state: 'expired' });
    const renewal = { order_id: randomUUID(), at: new Date(Date.parse(current_period_end) + 6 * DAY_MS) };
    await expect(t.renew(sold, renewal)).rejects.toMatchObject({ code: 'invalid_state' });
    await t.takeBack(renewal.order_id);
    expect(await t.soldCount(of.plan)).toBe(0);
    expect(await t.names(sold.id, 3)).toEqual(['created', 'expired', 'updated']);
  });

  it('takes back what it gave: one period, then the subscription and its count', async () => {
    const of = await t.offer();
    const sold = await t.sell(of);
    const first = await t.read(sold);
    const order_id = randomUUID();
    await t.renew(sold, { order_id });
    for (let repeated = 0; repeated < 2; repeated += 1) await t.takeBack(order_id);
    expect(await t.read(sold)).toMatchObject({ state: 'active', current_period_end: first.current_period_end });
    expect(await t.soldCount(of.plan)).toBe(1);
    for (let repeated = 0; repeated < 2; repeated += 1) await t.takeBack(sold.order_id);
    expect(await t.read(sold)).toMatchObject({ state: 'canceled' });
    expect(await t.soldCount(of.plan)).toBe(0);
    expect(await t.access(of.student_id)).toMatchObject({ [of.course_ids[0] ?? '']: ['revoked', expect.any(String)] });
    await expect(t.renew(sold)).rejects.toMatchObject({ code: 'invalid_state' });
  });

  it('gives the place of a subscription back that waited for its first payment, when that is refunded', async () => {
    const of = await t.offer();
    const made = await t.start(of, { state: 'incomplete' });
    const [first, second] = [randomUUID(), randomUUID()];
    await t.renew(made, { order_id: first });
    await t.renew(made, { order_id: second });
    await t.takeBack(first);
    expect(await t.soldCount(of.plan)).toBe(1);
    for (let repeated = 0; repeated < 2; repeated += 1) await t.takeBack(second);
    expect(await t.read(made)).toMatchObject({ state: 'canceled' });
    expect(await t.soldCount(of.plan)).toBe(0);
  });

  it('keeps the periods of other orders when the first one is refunded, and ends with the last', async () => {
    const of = await t.offer();
    const sold = await t.sell(of);
    const first = await t.read(sold);
    const [second, third] = [randomUUID(), randomUUID()];
    await t.renew(sold, { order_id: second });
    const renewed = await t.read(sold);
    await t.renew(sold, { order_id: third });
    await t.takeBack(sold.order_id);
    expect(await t.read(sold)).toMatchObject({ state: 'active', current_period_end: renewed.current_period_end });
    expect(await t.access(of.student_id)).toMatchObject({ [of.course_ids[0] ?? '']: ['active', expect.any(String)] });
    expect(await t.soldCount(of.plan)).toBe(1);
    await t.takeBack(second);
    expect(await t.read(sold)).toMatchObject({ state: 'active', current_period_end: first.current_period_end });
    await t.takeBack(third);
    expect(await t.read(sold)).toMatchObject({ state: 'canceled' });
    expect(await t.soldCount(of.plan)).toBe(0);
  });

  it('keeps the current period when the order of an earlier one is refunded', async () => {
    const of = await t.offer();
    const sold = await t.sell(of, new Date(Date.now() - 40 * DAY_MS));
    await t.renew(sold, { at: new Date(Date.now() - 11 * DAY_MS) });
    const renewed = await t.read(sold);
    await t.takeBack(sold.order_id);
    expect(await t.read(sold)).toMatchObject({ state: 'active', current_period_end: renewed.current_period_end });
  });

  it('sells no more than the plan has', async () => {
    const of = await t.offer({ quantity: 2 }, 0);
    const students = await Promise.all([1, 2, 3, 4, 5].map(() => t.newStudent()));
    const outcomes = await Promise.all(
      students.map((student_id) =>
        t.sell({ ...of, student_id }).then(
          () => 'sold',
          (error: unknown) => (error instanceof ApiError ? error.code : error),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'sold')).toHaveLength(2);
    expect(outcomes.filter((outcome) => outcome === 'invalid_state')).toHaveLength(3);
    expect(await t.soldCount(of.plan)).toBe(2);
  });
});
