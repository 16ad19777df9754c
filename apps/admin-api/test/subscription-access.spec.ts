import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { Identity } from './identity.js';
import { newCourse } from './new-course.js';
import { TestSubscriptions, after } from './test-subscriptions.js';
import type { Shown } from './test-subscriptions.js';

let api: TestApi;
let t: TestSubscriptions;
let identity: Identity;
beforeAll(async () => {
  api = await startAdminApi();
  identity = await Identity.start(api.nats.environment);
  t = new TestSubscriptions(api);
});
afterAll(async () => {
  await identity.stop();
  await api.stop();
});

it('follows the courses of the plan in batches, and gives a course back that returns', async () => {
  const of = await t.offer({}, 2);
  const others = [await t.newStudent(), await t.newStudent()];
  const made = await t.start(of);
  for (const student_id of others) await t.start({ ...of, student_id });
  const ended = await t.start({ ...of, student_id: await t.newStudent() });
  await api.send('POST', t.path(ended, '/cancel'), { body: { at_period_end: false } });
  const [stays = '', leaves = ''] = of.course_ids;
  const { id: comes } = await newCourse(api);
  const put = async (course_ids: readonly string[]): Promise<void> => {
    expect((await api.send('PATCH', of.plan.path, { body: { course_ids } })).status).toBe(200);
    while (await t.upkeep.followPlans(2));
  };
  const end = after(made.current_period_end, 7).toISOString();
  await put([stays, comes]);
  for (const student_id of [of.student_id, ...others]) {
    expect(await t.access(student_id)).toMatchObject({
      [stays]: ['active', expect.any(String)],
      [comes]: ['active', expect.any(String)],
      [leaves]: ['expired', expect.any(String)],
    });
  }
  expect(Object.keys(await t.access(String(ended['student_id'])))).not.toContain(comes);
  await put(of.course_ids);
  expect(await t.access(of.student_id)).toMatchObject({
    [leaves]: ['active', end],
    [comes]: ['expired', expect.any(String)],
  });
});

describe('access that an operator let end', () => {
  /** A subscription whose access in its course has ended, and a course that its plan does not have. */
  async function expired() {
    const of = await t.offer();
    const made = await t.start(of);
    const course = of.course_ids[0] ?? '';
    const { body } = await api.send<{ data: Shown[] }>('GET', `/api/v1/students/${of.student_id}/enrollments`);
    const path = `/api/v1/enrollments/${String(body.data[0]?.id)}`;
    const state = async (): Promise<unknown> => (await api.send('GET', path)).body['state'];
    expect((await api.send('POST', `${path}/expire`)).body).toMatchObject({ state: 'expired' });
    return { of, made, course, path, state };
  }

  it('stays ended after a cancellation and its undoing, and returns with a payment', async () => {
    const { made, state } = await expired();
    for (const action of ['/cancel', '/resume']) {
      expect((await api.send('POST', t.path(made, action), { body: {} })).status).toBe(200);
      expect(await state()).toBe('expired');
    }
    await t.renew(made);
    expect(await state()).toBe('active');
  });

  it('stays ended when the period ends', async () => {
    const { made, state } = await expired();
    await t.clock(new Date(made.current_period_end));
    expect(await t.read(made)).toMatchObject({ state: 'past_due' });
    expect(await state()).toBe('expired');
    await t.renew(made);
    expect(await state()).toBe('active');
  });

  it('stays ended when another course comes to the plan', async () => {
    const { of, course, state } = await expired();
    const { id: comes } = await newCourse(api);
    await api.send('PATCH', of.plan.path, { body: { course_ids: [course, comes] } });
    while (await t.upkeep.followPlans(2));
    expect(await t.access(of.student_id)).toMatchObject({ [comes]: ['active', expect.any(String)] });
    expect(await state()).toBe('expired');
  });

  it('keeps an earlier end', async () => {
    const { of, course, made, path } = await expired();
    const expires_at = after(made.current_period_end, -1).toISOString();
    await t.renew(made);
    expect((await api.send('PATCH', path, { body: { expires_at } })).body).toMatchObject({ expires_at });
    await api.send('POST', t.path(made, '/cancel'), { body: {} });
    expect(await t.access(of.student_id)).toMatchObject({ [course]: ['active', expires_at] });
  });
});

it('follows a change of the plan that v0.1.0 wrote, with access to each course again', async () => {
  const of = await t.offer();
  await t.start(of);
  const course = of.course_ids[0] ?? '';
  await api.send('PATCH', of.plan.path, { body: { course_ids: [] } });
  while (await t.upkeep.followPlans(2));
  expect(await t.access(of.student_id)).toMatchObject({ [course]: ['expired', expect.any(String)] });
  await withDatabase(api.databaseUrl, async (client) => {
    const plan = `select site_id, id from membership_plans where id = $1`;
    await client.query(
      `insert into membership_plan_courses (site_id, plan_id, course_id)
      select site_id, id, $2 from membership_plans where id = $1`,
      [of.plan.id, course],
    );
    await client.query(`insert into subscription_follows (site_id, plan_id) ${plan}`, [of.plan.id]);
  });
  while (await t.upkeep.followPlans(2));
  expect(await t.access(of.student_id)).toMatchObject({ [course]: ['active', expect.any(String)] });
});

describe('a member', () => {
  async function subscriber() {
    const { plan, price_id } = await t.offer();
    const email = `${randomUUID()}@example.com`;
    const { body: member } = await api.send('POST', '/api/v1/members', { body: { email, roles: ['student'] } });
    const { body } = await api.send<{ data: Shown[] }>('GET', `/api/v1/students?email=${email}`);
    const student_id = body.data[0]?.id ?? '';
    return {
      plan,
      student_id,
      member: `/api/v1/members/${String(member['id'])}`,
      made: await t.start({ price_id, student_id }),
    };
  }

  it('shows live subscriptions, and is not removed before they end', async () => {
    const { member, made } = await subscriber();
    const shown = await api.send('GET', member);
    expect(shown.body['active_subscription_ids']).toEqual([made.id]);
    const refused = await api.send('POST', `${member}/remove`);
    expect([refused.status, refused.body['code']]).toEqual([409, 'resource_in_use']);
    await api.send('POST', t.path(made, '/cancel'), { body: { at_period_end: false } });
    const changed = await api.send('GET', member, { headers: { 'if-none-match': shown.headers['etag'] ?? '' } });
    expect([changed.status, changed.body['active_subscription_ids']]).toEqual([200, []]);
    expect((await api.send('POST', `${member}/remove`)).status).toBe(200);
    const events = await api.events.matching(
      ({ aggregate_id, data }) => aggregate_id === made.id && data['person_id'] === null,
      1,
    );
    expect(events.at(-1)?.data).toMatchObject({ state: 'canceled', person_id: null });
  });

  it('loses the subscriptions with the role student', async () => {
    const { member, made } = await subscriber();
    expect((await api.send('POST', `${member}/roles`, { body: { roles: ['lecturer'] } })).status).toBe(200);
    expect(await t.read(made)).toMatchObject({ state: 'canceled', ended_at: expect.any(String) });
  });
});

it('leaves the turn of the clock to others while its student is locked, and becomes past due afterwards', async () => {
  const made = await t.start(await t.offer());
  const ended = after(made.current_period_end, 1);
  await withDatabase(api.databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('select from students where id = $1 for no key update', [made['student_id']]);
    // Others of this file are due, too.
    await t.upkeep.followClock(ended, 100);
    expect(await t.upkeep.followClock(ended, 100)).toBe(0);
    await client.query('commit');
  });
  expect(await t.read(made)).toMatchObject({ state: 'active' });
  await t.clock(ended);
  expect(await t.read(made)).toMatchObject({ state: 'past_due' });
});
