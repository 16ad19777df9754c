import { randomUUID } from 'node:crypto';
import { planOf, rowsRead } from '@lyceum/testing';
import { enrollment as resource } from '#src/enrollments/enrollment.schema.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { newCourse } from './new-course.js';
import { withDatabase } from './database.js';
import { newLearner } from './learner.js';

const PATH = '/api/v1/enrollments';
let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

interface Row {
  readonly id: string;
  readonly student_id: string;
  readonly course_id: string;
  readonly updated_at: string;
}

const student = async (site = api.sites[0]): Promise<string> =>
  String(
    (await api.send('POST', '/api/v1/students', { site, body: { email: `${randomUUID()}@example.com` } })).body['id'],
  );

async function enroll(student_id: string, course_id: string): Promise<Row> {
  return (await api.send<Row>('POST', `/api/v1/students/${student_id}/enrollments`, { body: { course_id } })).body;
}

async function list(query: string): Promise<readonly Row[]> {
  const response = await api.send('GET', `${PATH}?${query}`);
  return resource.list.strict().parse(response.body).data;
}
const idsOf = async (query: string): Promise<string[]> => (await list(query)).map(({ id }) => id);

it('finds enrollments of the site by course, student, state and time, and one by its id', async () => {
  const [one, two] = [await student(), await student()];
  const [painting, drawing] = [(await newCourse(api)).id, (await newCourse(api)).id];
  const first = await enroll(one, painting);
  const second = await enroll(two, painting);
  const third = await enroll(one, drawing);
  expect(await idsOf(`course_id=${painting}`)).toEqual([second.id, first.id]);
  expect(await idsOf(`student_id=${one.toUpperCase()}&sort=created_at`)).toEqual([first.id, third.id]);
  expect(await idsOf(`course_id=${painting}&student_id=${one}`)).toEqual([first.id]);
  const { body } = await api.send<Row>('POST', `/api/v1/students/${one}/enrollments/${first.id}/revoke`);
  expect(await idsOf(`state=revoked&course_id=${painting}`)).toEqual([first.id]);
  expect(await idsOf(`course_id=${painting}&sort=-updated_at`)).toEqual([first.id, second.id]);
  expect(await idsOf(`updated_at[gte]=${body.updated_at}&course_id=${painting}`)).toEqual([first.id]);
  const read = await api.send('GET', `${PATH}/${first.id}`);
  expect(read.body).toEqual((await list(`student_id=${one}&course_id=${painting}`))[0]);
  const below = await api.send('GET', `/api/v1/students/${one}/enrollments/${first.id}`);
  expect([read.body, read.headers['etag']]).toEqual([below.body, below.headers['etag']]);
  expect(read.headers['cache-control']).toBe('private, no-store');
});

it('finds enrollments by the keys and values of the school, and changes them in every state', async () => {
  const [student_id, { id: course_id }, external_id] = [await student(), await newCourse(api), randomUUID()];
  const body = { student_id, course_id, external_id, metadata: { cohort: external_id, room: '1' } };
  const made = await api.send<Row>('POST', PATH, { body });
  expect([made.status, made.body]).toMatchObject([201, { external_id, metadata: body.metadata }]);
  const { id } = made.body;
  const again = await api.send('POST', PATH, { body });
  expect([again.status, again.body]).toEqual([200, made.body]);
  const other = await api.send('POST', PATH, { body: { ...body, expires_at: '2999-01-01T00:00:00Z' } });
  expect([other.status, other.body]).toMatchObject([409, { code: 'already_exists', errors: [{ id }] }]);
  expect(await idsOf(`external_id=${external_id}`)).toEqual([id]);
  expect(await idsOf(`metadata[cohort]=${external_id}&metadata[room]=1`)).toEqual([id]);
  expect(await idsOf(`metadata[cohort]=${external_id}&metadata[room]=2`)).toEqual([]);
  await api.send('POST', `${PATH}/${id}/revoke`);
  const patch = { external_id: `${external_id}-2`, metadata: { room: null, desk: '2' } };
  const changed = await api.send('PATCH', `${PATH}/${id}`, { body: patch });
  const own = { external_id: patch.external_id, metadata: { cohort: external_id, desk: '2' } };
  expect([changed.status, changed.body]).toMatchObject([200, { state: 'revoked', ...own }]);
  expect((await api.send('PATCH', `${PATH}/${id}`, { body: patch })).headers['etag']).toBe(changed.headers['etag']);
  const events = await api.events.of([id], 3);
  expect(events.map(({ type }) => type.split('.')[2])).toEqual(['activated', 'revoked', 'updated']);
  expect(events[2]?.data).toMatchObject({ external_id: own.external_id, state: 'revoked' });
  expect(events[2]?.data).not.toHaveProperty('metadata');
});

it('publishes one event for another end with another key', async () => {
  const { enrollment_id, path } = await newLearner(api);
  const body = { expires_at: '2999-01-01T00:00:00Z', external_id: randomUUID(), metadata: { room: '1' } };
  expect((await api.send('PATCH', path, { body })).status).toBe(200);
  const { expires_at: _end, ...own } = body;
  expect((await api.send('GET', `${PATH}/${enrollment_id}`)).body).toMatchObject(own);
  expect((await api.send('PATCH', path, { body: { external_id: null } })).body).toMatchObject({ external_id: null });
  const names = (await api.events.of([enrollment_id], 3)).map(({ type }) => type.split('.')[2]);
  expect(names).toEqual(['activated', 'extended', 'updated']);
});

it('keeps the key and the values of access that ended and begins again', async () => {
  const [student_id, { id: course_id }, external_id] = [await student(), await newCourse(api), randomUUID()];
  const own = { external_id, metadata: { room: '1' } };
  const { id } = (await api.send<Row>('POST', PATH, { body: { student_id, course_id, ...own } })).body;
  await api.send('POST', `${PATH}/${id}/revoke`);
  const refused = await api.send('POST', PATH, { body: { student_id, course_id, external_id: randomUUID() } });
  expect([refused.status, refused.body]).toMatchObject([409, { errors: [{ pointer: '/external_id', id }] }]);
  const again = await api.send('POST', PATH, { body: { student_id, course_id } });
  expect([again.status, again.body]).toMatchObject([200, { id, state: 'active', ...own }]);
});

it('pages through all enrollments once and refuses the cursor of another list', async () => {
  const course_id = (await newCourse(api)).id;
  const made: string[] = [];
  for (let count = 0; count < 5; count += 1) made.push((await enroll(await student(), course_id)).id);
  const seen: string[] = [];
  for (let cursor = ''; ;) {
    const { body } = await api.send('GET', `${PATH}?course_id=${course_id}&limit=2${cursor}`);
    const { data, page } = resource.list.parse(body);
    seen.push(...data.map(({ id }) => id));
    if (page.next_cursor === null) break;
    cursor = `&cursor=${page.next_cursor}`;
    expect((await api.send('GET', `${PATH}?limit=2${cursor}`)).body['code']).toBe('invalid_cursor');
  }
  expect(seen).toEqual(made.toReversed());
});

it('shows nothing of another site and requires students:read', async () => {
  const [student_id, { id: course_id }] = [await student(), await newCourse(api)];
  const { id } = await enroll(student_id, course_id);
  const site = api.sites[1];
  for (const query of ['', `course_id=${course_id}`, `student_id=${student_id}`]) {
    expect((await api.send('GET', `${PATH}?${query}`, { site })).body['data']).toEqual([]);
  }
  expect((await api.send('GET', `${PATH}/${id}`, { site })).status).toBe(404);
  for (const path of [PATH, `${PATH}/${id}`]) {
    const refused = await api.send('GET', path, { token: await api.token('students:write courses:read') });
    expect([refused.status, refused.body['code']]).toEqual([403, 'insufficient_scope']);
  }
});

it.each([
  ['student_id=x', 'invalid_request'],
  ['course_id=x', 'invalid_request'],
  ['state=paused', 'invalid_request'],
  ['sort=course_id', 'invalid_request'],
  ['source=gift', 'invalid_request'],
  ['grant=manual', 'unknown_parameter'],
])('refuses %s', async (query, code) => {
  expect((await api.send('GET', `${PATH}?${query}`)).body['code']).toBe(code);
});

it('refuses a filter by student below a student', async () => {
  const id = await student();
  const response = await api.send('GET', `/api/v1/students/${id}/enrollments?student_id=${id}`);
  expect([response.status, response.body['code']]).toEqual([400, 'unknown_parameter']);
});

it('publishes the first start of access with a renewal after an interruption', async () => {
  const { enrollment_id, path } = await newLearner(api);
  await api.send('POST', `${path}/expire`);
  expect((await api.send('PATCH', path, { body: { expires_at: '2999-01-01T00:00:00Z' } })).status).toBe(200);
  const [first, , renewed] = (await api.events.of([enrollment_id], 3)).map(({ data }) => data);
  expect(renewed).toMatchObject({ state: 'active', first_started_at: first?.['started_at'] });
  expect(Date.parse(String(renewed?.['started_at']))).toBeGreaterThan(Date.parse(String(first?.['started_at'])));
});

describe('on a large table', () => {
  const ROWS = 5_000;
  /** Rows that the statement of one page may read: it shows 20 and asks for one more. */
  const MOST = 400;
  it('reads each list from an index', async () => {
    const site_id = randomUUID();
    await withDatabase(api.databaseUrl, async (client) => {
      await client.query(
        `with course as (
           insert into courses (site_id, slug, name) select $1, 'c' || n, 'x' from generate_series(1, 50) n returning id),
         student as (
           insert into students (site_id, email, name) select $1, n || '@example.com', 'x'
           from generate_series(1, ${ROWS / 50}) n returning id),
         enrollment as (
           insert into enrollments (site_id, student_id, course_id, source, created_at, updated_at)
           select $1, student.id, course.id, 'manual', now() - random() * interval '1 year', now() - random() * interval '1 year'
           from student, course returning id)
         insert into access_grants (site_id, enrollment_id, source, starts_at) select $1, id, 'manual', now() from enrollment`,
        [site_id],
      );
      await client.query('analyze enrollments; analyze access_grants; analyze students; analyze courses');
      const { rows } = await client.query<{ course_id: string; student_id: string }>(
        'select course_id, student_id from enrollments where site_id = $1 limit 1',
        [site_id],
      );
      const [{ course_id, student_id } = { course_id: '', student_id: '' }] = rows;
      for (const [condition, order] of [
        ['', 'created_at desc, id desc'],
        ['', 'updated_at, id'],
        [`and updated_at >= now() - interval '1 day'`, 'updated_at desc, id desc'],
        [`and state = 'active'`, 'created_at desc, id desc'],
        [`and state = 'expired'`, 'created_at desc, id desc'],
        [`and course_id = '${course_id}'`, 'created_at desc, id desc'],
        [`and student_id = '${student_id}'`, 'created_at desc, id desc'],
      ] as const) {
        const text = `select id, (select json_agg(g.id) from access_grants g
             where g.site_id = enrollments.site_id and g.enrollment_id = enrollments.id)
           from enrollments where site_id = '${site_id}' ${condition} order by ${order} limit 21`;
        const nodes = await planOf(async (...asked) => (await client.query<object>(...asked)).rows, { text });
        const most = Math.max(...nodes.map(rowsRead));
        expect([condition, order, most <= MOST]).toEqual([condition, order, true]);
      }
    });
  });
});
