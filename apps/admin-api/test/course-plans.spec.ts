import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { newCourse, unique } from './new-course.js';
import { toolCaller } from './tool-caller.js';

let api: TestApi;
let database: pg.Client;
beforeAll(async () => {
  api = await startAdminApi();
  database = new pg.Client(api.databaseUrl);
  await database.connect();
  await database.query(
    `insert into schools (site_id, name, locale, timezone, currency) values ($1, $2, 'en', 'UTC', $3)`,
    [api.sites[1].site_id, 'School', 'EUR'],
  );
});
afterAll(async () => {
  await database?.end();
  await api.stop();
});

const PRICE = { amount_minor: 150_000, currency: 'TWD' };
const HALF_YEAR = { name: 'Half a year', plan_type: 'specific_length', price: PRICE, access_days: 182 };

async function newPlan(course: string, body: object = HALF_YEAR): Promise<{ id: string; path: string }> {
  const response = await api.send('POST', `/api/v1/courses/${course}/plans`, { body });
  if (response.status !== 201) throw new Error(response.text);
  const id = String(response.body['id']);
  return { id, path: `/api/v1/courses/${course}/plans/${id}` };
}

it('keeps the terms of a plan to its type through patches', async () => {
  const { id: course } = await newCourse(api);
  const { path } = await newPlan(course);
  const cheaper = await api.send('PATCH', path, { body: { price: { amount_minor: 100 }, active: false } });
  expect(cheaper.body).toMatchObject({ price: { amount_minor: 100, currency: 'TWD' }, active: false });
  for (const [body, pointer] of [
    [{ price: null }, '/price'],
    [{ access_days: null }, '/access_days'],
    [{ interval: 'month' }, '/interval'],
    [{ plan_type: 'free' }, '/plan_type'],
  ] as const) {
    const refused = await api.send('PATCH', path, { body });
    expect([refused.status, refused.body['errors']]).toMatchObject([422, [{ pointer }]]);
  }
  expect((await api.send('GET', path)).body).toMatchObject({ ...cheaper.body });
});

it.each([
  ['specific_length', 'access_days', [1, 3650], [0, 3651, 1.5]],
  ['subscription', 'interval_count', [1, 36], [0, 37, 1.5]],
])('accepts %s plans with %s at its limits and none beyond', async (plan_type, member, inside, beyond) => {
  const { id } = await newCourse(api);
  const terms = plan_type === 'subscription' ? { interval: 'year' } : {};
  for (const value of [...inside, ...beyond]) {
    const body = { name: 'Plan', plan_type, price: PRICE, ...terms, [member]: value };
    const { status } = await api.send('POST', `/api/v1/courses/${id}/plans`, { body });
    expect([value, status]).toEqual([value, inside.includes(value) ? 201 : 422]);
  }
});

it('refuses another currency than that of the school', async () => {
  const site = api.sites[1];
  const { id } = await newCourse(api, {}, site);
  const path = `/api/v1/courses/${id}/plans`;
  const refused = await api.send('POST', path, { site, body: HALF_YEAR });
  expect([refused.status, refused.body['errors']]).toMatchObject([422, [{ pointer: '/price/currency' }]]);
  const body = { ...HALF_YEAR, price: { amount_minor: 100, currency: 'EUR' } };
  expect((await api.send('POST', path, { site, body })).status).toBe(201);
});

it('keeps the currency of an old price when the school has another one, and requires the new one of a new price', async () => {
  const site = api.sites[1];
  const currency = (code: string) =>
    database.query('update schools set currency = $1 where site_id = $2', [code, site.site_id]);
  const { id: course } = await newCourse(api, {}, site);
  const path = `/api/v1/courses/${course}/plans`;
  const external = `${path}/by_external_id/${unique('plan')}`;
  const body = { ...HALF_YEAR, price: { amount_minor: 100, currency: 'EUR' } };
  const { id } = (await api.send<{ id: string }>('PUT', external, { site, body })).body;
  const send = async (method: 'PATCH' | 'PUT', to: string, given: object) => {
    const sent = await api.send(method, to, { site, body: given });
    return [sent.status, sent.body['errors']];
  };
  await currency('USD');
  expect(await send('PATCH', `${path}/${id}`, { active: false })).toEqual([200, undefined]);
  expect(await send('PUT', external, { ...body, name: 'Six months' })).toEqual([200, undefined]);
  const refused = [422, [expect.objectContaining({ pointer: '/price/currency' })]];
  expect(await send('PATCH', `${path}/${id}`, { price: { amount_minor: 200 } })).toEqual(refused);
  expect(await send('PATCH', `${path}/${id}`, { price: { currency: 'USD' } })).toEqual([200, undefined]);
  await currency('EUR');
});

it('finds a plan below its own course only, and changes none of an archived course', async () => {
  const [{ id: course }, { id: other }] = [await newCourse(api), await newCourse(api)];
  const { id, path } = await newPlan(course);
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const body = method === 'PATCH' ? { body: { name: 'Other' } } : {};
    expect((await api.send(method, `/api/v1/courses/${other}/plans/${id}`, body)).status).toBe(404);
  }
  expect((await api.send('GET', `/api/v1/courses/${randomUUID()}/plans`)).status).toBe(404);
  for (const action of ['publish', 'unpublish', 'archive'])
    await api.send('POST', `/api/v1/courses/${course}/${action}`);
  const refused = await api.send('PATCH', path, { body: { name: 'Other' } });
  expect([refused.status, refused.body['code']]).toEqual([409, 'invalid_state']);
});

it('refuses an external id that a plan of another course has', async () => {
  const [{ id: course }, { id: other }] = [await newCourse(api), await newCourse(api)];
  const external_id = unique('plan');
  const pathOf = (id: string): string => `/api/v1/courses/${id}/plans/by_external_id/${external_id}`;
  expect((await api.send('PUT', pathOf(course), { body: HALF_YEAR })).status).toBe(201);
  const refused = await api.send('PUT', pathOf(other), { body: { ...HALF_YEAR, name: 'Other' } });
  expect([refused.status, refused.body['code']]).toEqual([409, 'already_exists']);
});

it('shows a teacher the plans of own courses, and lets them change none', async () => {
  const member = { member_id: randomUUID(), roles: ['lecturer' as const] };
  const { rows } = await database.query<{ id: string }>(
    `insert into lecturers (site_id, slug, name, member_id) values ($1, $2, 'Mei Lin', $3) returning id`,
    [api.sites[0].site_id, unique('lecturer'), member.member_id],
  );
  const own = await newCourse(api, { lecturer_ids: rows.map(({ id }) => id) });
  const other = await newCourse(api);
  const [mine, theirs] = [await newPlan(own.id), await newPlan(other.id)];
  const call = (name: string, args: object) =>
    toolCaller(api).call<Record<string, unknown>>(name, args, { scopes: ['courses:read', 'courses:write'], member });
  expect(await call('list_course_plans', { course_id: own.id })).toMatchObject({ items: [{ id: mine.id }] });
  expect(await call('list_course_plans', { course_id: other.id })).toMatchObject({ code: 'not_found' });
  const change = (course_id: string, plan_id: string) =>
    call('update_course_plan', { course_id, plan_id, name: 'Mine' });
  expect(await change(own.id, mine.id)).toMatchObject({ code: 'forbidden' });
  expect(await change(other.id, theirs.id)).toMatchObject({ code: 'not_found' });
});

describe('An enrollment by a plan', () => {
  async function enroll(course_id: string, body: object) {
    const added = await api.send('POST', '/api/v1/students', { body: { email: `${unique('student')}@example.com` } });
    const path = `/api/v1/students/${String(added.body['id'])}/enrollments`;
    return api.send('POST', path, { body: { course_id, ...body } });
  }
  const daysOf = ({ started_at, expires_at }: Record<string, unknown>): number =>
    (Date.parse(String(expires_at)) - Date.parse(String(started_at))) / 86_400_000;

  it('ends as the plan says, or when the request says', async () => {
    const { id: course } = await newCourse(api);
    const { id: plan_id } = await newPlan(course);
    const { status, body } = await enroll(course, { plan_id });
    expect([status, body['plan_id'], daysOf(body), body['grants']]).toMatchObject([201, plan_id, 182, [{ plan_id }]]);
    const life = await enroll(course, { plan_id, expires_at: null });
    expect(life.body).toMatchObject({ plan_id, expires_at: null, has_lifetime_access: true });
    const until = '2099-01-01T00:00:00.000Z';
    expect((await enroll(course, { plan_id, expires_at: until })).body).toMatchObject({ plan_id, expires_at: until });
    expect((await enroll(course, {})).body).toMatchObject({ plan_id: null, expires_at: null });
  });

  it('refuses a plan of another course, an unknown one, and one whose access has ended', async () => {
    const [{ id: course }, { id: other }] = [await newCourse(api), await newCourse(api)];
    const { id: foreign } = await newPlan(other);
    const past = { name: 'Past', plan_type: 'fixed_date', price: PRICE, access_ends_at: '2020-01-01T00:00:00Z' };
    const { id: ended } = await newPlan(course, past);
    for (const plan_id of [foreign, randomUUID(), ended]) {
      const refused = await enroll(course, { plan_id });
      expect([refused.status, refused.body['errors']]).toMatchObject([422, [{ pointer: '/plan_id' }]]);
    }
  });

  it('keeps the plan from deletion, also after the access was revoked', async () => {
    const { id: course } = await newCourse(api);
    const [used, unused] = [await newPlan(course), await newPlan(course)];
    const { body } = await enroll(course, { plan_id: used.id });
    const enrollment = `/api/v1/students/${String(body['student_id'])}/enrollments/${String(body['id'])}`;
    expect((await api.send('POST', `${enrollment}/revoke`)).body).toMatchObject({ plan_id: used.id });
    const refused = await api.send('DELETE', used.path);
    expect([refused.status, refused.body['code']]).toEqual([409, 'resource_in_use']);
    expect((await api.send('DELETE', unused.path)).status).toBe(204);
  });

  it('never begins with a plan that is deleted meanwhile', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id: course } = await newCourse(api);
      const { id: plan_id, path } = await newPlan(course);
      const [begun, deleted] = await Promise.all([enroll(course, { plan_id }), api.send('DELETE', path)]);
      expect([
        [201, 409],
        [422, 204],
      ]).toContainEqual([begun.status, deleted.status]);
    }
  });
});
