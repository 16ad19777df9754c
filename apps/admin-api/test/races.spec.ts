import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { untilBlocked, withDatabase } from './database.js';
import { newCourse } from './new-course.js';

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const create = (collection: string, body: object) => api.send('POST', `/api/v1/${collection}`, { body });

/** Runs a request while a session holds locks, and ends the session's transaction when the request waits for them. */
async function during<T>(begin: string[], request: () => Promise<T>, end: string): Promise<T> {
  return withDatabase(api.databaseUrl, async (client) => {
    await client.query('begin');
    for (const statement of begin) await client.query(statement);
    const response = request();
    const ended = response.then((early) => {
      throw new Error(`The request did not wait: ${JSON.stringify(early)}`);
    });
    await Promise.race([untilBlocked(client), ended]);
    ended.catch(() => undefined);
    if (end !== '') await client.query(end);
    await client.query('commit');
    return response;
  });
}

it('creates an object when the one with the same value is deleted before its id is read', async () => {
  const slug = `vanished-${randomUUID()}`;
  const first = await create('courses', { name: 'A course', slug });
  const second = await during(
    [`select 1 from courses where slug = '${slug}' for update`],
    () => create('courses', { name: 'Another course', slug }),
    `delete from courses where slug = '${slug}'`,
  );
  expect(second.status).toBe(201);
  expect(second.body['id']).not.toBe(first.body['id']);
  expect(await api.events.of([String(second.body['id'])], 1)).toHaveLength(1);
});

it('returns 409 without an id when another object takes the value again', async () => {
  const slug = `taken-again-${randomUUID()}`;
  await create('courses', { name: 'A course', slug });
  const second = await during(
    [`select 1 from courses where slug = '${slug}' for update`],
    () => create('courses', { name: 'Another course', slug }),
    `update courses set slug = slug || '-old' where slug = '${slug}';
     insert into courses (site_id, slug, name) select site_id, '${slug}', 'New' from courses where slug = '${slug}-old'`,
  );
  expect([second.status, second.body['code']]).toEqual([409, 'already_exists']);
  expect(second.body['errors']).toEqual([expect.objectContaining({ pointer: '/slug', code: 'already_exists' })]);
  expect(JSON.stringify(second.body['errors'])).not.toContain('"id"');
});

it('keeps the access that another request gives while a bulk enrollment waits', async () => {
  const { body: course } = await create('courses', { name: 'A course', slug: `waited-${randomUUID()}` });
  const { body: student } = await create('students', { email: `${randomUUID()}@example.com` });
  const [student_id, course_id, id] = [String(student['id']), String(course['id']), randomUUID()];
  const key = `'${api.sites[0].site_id}', '${id}'`;
  const response = await during(
    [`select 1 from students where id = '${student_id}' for update`],
    () => create('enrollments/bulk', { items: [{ student_id, course_id }] }),
    `insert into enrollments (site_id, id, student_id, course_id, source, started_at)
       select ${key}, '${student_id}', '${course_id}', 'manual', at from (select clock_timestamp() - interval '1 ms' as at);
     insert into access_grants (site_id, enrollment_id, source, starts_at)
       select site_id, id, 'manual', started_at from enrollments where id = '${id}'`,
  );
  expect(response.body['results']).toMatchObject([{ status: 200, id }]);
  const stored = await withDatabase(api.databaseUrl, (client) =>
    client.query('select state, version from enrollments where id = $1', [id]),
  );
  expect(stored.rows).toEqual([{ state: 'active', version: 1 }]);
});

it.each([false, true])('refuses the item alone whose external id another request takes, atomic: %p', async (atomic) => {
  const courses = [await newCourse(api), await newCourse(api)];
  const { body: student } = await create('students', { email: `${randomUUID()}@example.com` });
  const { body: other } = await create('students', { email: `${randomUUID()}@example.com` });
  const [external_id, id, site] = [randomUUID(), randomUUID(), api.sites[0].site_id];
  const items = courses.map((course, index) => ({
    student_id: student['id'],
    course_id: course.id,
    ...(index === 1 && { external_id }),
  }));
  const response = await during(
    [
      `insert into enrollments (site_id, id, student_id, course_id, source, started_at, external_id)
       values ('${site}', '${id}', '${String(other['id'])}', '${courses[0]?.id}', 'manual', now(), '${external_id}')`,
      `insert into access_grants (site_id, enrollment_id, source, starts_at)
       values ('${site}', '${id}', 'manual', now())`,
    ],
    () => create('enrollments/bulk', { items, atomic }),
    '',
  );
  expect([response.status, response.body['results']]).toMatchObject([
    200,
    [
      { status: atomic ? 424 : 201, errors: [] },
      { status: 409, errors: [{ pointer: '/items/1/external_id', code: 'already_exists', id }] },
    ],
  ]);
});

it('adds a student without the person whom a role gives to another student meanwhile', async () => {
  const [person, member, site] = [randomUUID(), randomUUID(), api.sites[0].site_id];
  const [email, renamed] = [`${person}@example.com`, `new-${person}@example.com`];
  await withDatabase(api.databaseUrl, (client) =>
    client.query(
      `insert into members
         (site_id, person_id, id, email, name, state, roles, joined_at, source_epoch, source_version)
       values ($1, $2, $3, $4, 'Mei Lin', 'removed', '{}', now(), 1, 1)`,
      [site, person, member, email],
    ),
  );
  const response = await during(
    [
      `update members set email = '${renamed}', roles = '{student}' where person_id = '${person}'`,
      `insert into students (site_id, person_id, member_id, email, name)
       values ('${site}', '${person}', '${member}', '${renamed}', 'Mei Lin')`,
    ],
    () => create('students', { email }),
    '',
  );
  expect([response.status, response.body['member_id']]).toEqual([201, null]);
});

it('changes a course with the lecturers that another request has set meanwhile', async () => {
  const [lecturer] = await withDatabase(api.databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into lecturers (site_id, slug, name) values ($1, $2, 'A lecturer') returning id`,
      [api.sites[0].site_id, `lecturer-${randomUUID()}`],
    );
    return rows;
  });
  const { body } = await create('courses', { name: 'A course', slug: `taught-${randomUUID()}` });
  const id = String(body['id']);
  const patched = await during(
    [
      `update courses set version = version + 1 where id = '${id}'`,
      `insert into course_lecturers (site_id, course_id, lecturer_id, position)
       values ('${api.sites[0].site_id}', '${id}', '${lecturer?.id}', 1)`,
    ],
    // The lecturers are those that the other request sets, so this one changes nothing.
    () => api.send('PATCH', `/api/v1/courses/${id}`, { body: { lecturer_ids: [lecturer?.id] } }),
    '',
  );
  expect([patched.status, patched.body['lecturer_ids']]).toEqual([200, [lecturer?.id]]);
  expect(await api.events.of([id], 1)).toHaveLength(1);
});

it('returns 404 for a lecture whose section is deleted meanwhile', async () => {
  const { body: course } = await create('courses', { name: 'A course', slug: `emptied-${randomUUID()}` });
  const course_id = String(course['id']);
  const { body: section } = await create('sections', { course_id, title: 'A section' });
  const section_id = String(section['id']);
  const response = await during(
    [`select 1 from courses where id = '${course_id}' for update`],
    () => create('lectures', { section_id, slug: 'late', title: 'A lecture' }),
    `delete from sections where id = '${section_id}'`,
  );
  expect([response.status, response.body['code']]).toEqual([404, 'not_found']);
});
