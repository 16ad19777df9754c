import { TestExports, pathOf } from './test-exports.js';
import type { Json } from './test-exports.js';

let exports: TestExports;
beforeAll(async () => {
  exports = await TestExports.open();
  await exports.database.query(
    `insert into members (site_id, person_id, id, email, name, state, roles, joined_at, source_epoch, source_version)
     select $1, uuidv7(), uuidv7(), n || '@members.example', 'Mei Lin', 'active', array[role], now(), 1, 1
     from (values (1, 'lecturer'), (2, 'student')) as given (n, role)`,
    [exports.api.sites[0].site_id],
  );
});
afterAll(() => exports.close());

const rowsOf = async (body: Json): Promise<Json[]> => {
  const text = await exports.exported({ format: 'jsonl', ...body });
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
};

it('exports members by the filters of their list', async () => {
  const members = { collection: 'members', filters: { q: 'members.example' } };
  expect((await rowsOf(members)).map(({ email }) => email)).toEqual(['1@members.example', '2@members.example']);
  const lecturers = await rowsOf({ ...members, filters: { ...members.filters, role: 'lecturer' } });
  expect(lecturers).toMatchObject([{ email: '1@members.example', roles: ['lecturer'], state: 'active' }]);
  const joined = { joined_at: { lt: '2020-01-01T00:00:00Z' } };
  for (const none of [joined, { tag: 'evening' }])
    expect(await exports.exported({ ...members, format: 'jsonl', filters: { ...members.filters, ...none } })).toBe('');
  const [head, line] = (await exports.exported({ ...members, format: 'csv' })).split('\r\n');
  expect(head).toMatch(/^id,email,name,/);
  expect(line).toContain('1@members.example,Mei Lin,');
});

it('exports the activity of an object, with actors and sentences', async () => {
  const body = { name: 'Knots', slug: 'knots' };
  const { body: course } = await exports.api.send('POST', '/api/v1/courses', { body });
  await exports.api.send('PATCH', `/api/v1/courses/${String(course['id'])}`, { body: { name: 'Bends' } });
  const filters = { object_id: course['id'] };
  expect(await rowsOf({ collection: 'activity', filters })).toMatchObject([
    { action: 'course.created', actor: { via: 'rest' } },
    { action: 'course.updated', changed_fields: ['name'], summary: expect.stringContaining('course') },
  ]);
  const updates = await rowsOf({ collection: 'activity', filters: { ...filters, action: 'course.updated' } });
  expect(updates).toMatchObject([{ action: 'course.updated' }]);
});

it.each([
  ['members', 'members:read'],
  ['activity', 'school:read'],
])('needs the scope of %s, also to be seen, and a role beyond teaching', async (collection, scope) => {
  const body = { collection, format: 'csv' };
  const one = await exports.start(body);
  const token = await exports.api.token('students:read orders:read');
  const refused = await exports.api.send('POST', '/api/v1/exports', { token, body });
  expect([refused.status, refused.headers['www-authenticate']]).toEqual([
    403,
    expect.stringContaining(`scope="${scope}"`),
  ]);
  expect((await exports.api.send('GET', pathOf(one), { token })).status).toBe(404);
  await exports.giveRoles(['lecturer']);
  await exports.database.query(`update exports set created_at = created_at - interval '1 hour' where id = $1`, [
    one['id'],
  ]);
  await exports.work();
  expect(await exports.read(one)).toMatchObject({ state: 'failed', error: 'forbidden' });
  await exports.giveRoles(['owner']);
});

it('refuses a filter of another collection', async () => {
  const body = { collection: 'members', format: 'csv', filters: { action: 'course.updated' } };
  const { status, body: refused } = await exports.api.send('POST', '/api/v1/exports', { body });
  expect([status, refused['errors']]).toMatchObject([422, [{ pointer: '/filters/action' }]]);
});
