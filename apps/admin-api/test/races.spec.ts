import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const create = (collection: string, body: object) => api.send('POST', `/api/v1/${collection}`, { body });

/** Resolves when another session waits for a lock of the client. */
async function untilBlocked(client: pg.Client): Promise<void> {
  const blocked = 'select 1 from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))';
  for (;;) {
    const { rowCount } = await client.query(blocked);
    if (rowCount !== 0) return;
    await sleep(10);
  }
}

/** Runs a request while a session holds locks, and ends the session's transaction when the request waits for them. */
async function during<T>(begin: string[], request: () => Promise<T>, end: string): Promise<T> {
  return withDatabase(api.databaseUrl, async (client) => {
    await client.query('begin');
    for (const statement of begin) await client.query(statement);
    const response = request();
    await untilBlocked(client);
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

it('adds a student without the person whom a role gives to another student meanwhile', async () => {
  const [person, member, site] = [randomUUID(), randomUUID(), api.sites[0].site_id];
  const [email, renamed] = [`${person}@example.com`, `new-${person}@example.com`];
  await withDatabase(api.databaseUrl, (client) =>
    client.query(
      `insert into people_roles (site_id, person_id, member_id, email, name, roles, version)
       values ($1, $2, $3, $4, 'Mei Lin', '{}', 1)`,
      [site, person, member, email],
    ),
  );
  const response = await during(
    [
      `update people_roles set email = '${renamed}', roles = '{student}' where person_id = '${person}'`,
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
