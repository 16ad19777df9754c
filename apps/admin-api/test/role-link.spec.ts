import { randomUUID } from 'node:crypto';
import type { ReceivedResponse, TestSite } from '@lyceum/testing';
import { eventually } from '@lyceum/testing';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi({ withAuthsNats: true });
});
afterAll(() => api.stop());

it('links an added student to a new person of auth, once', async () => {
  const email = `${randomUUID()}@example.com`;
  const course = await api.send('POST', '/api/v1/courses', { body: { name: 'x', slug: `c-${randomUUID()}` } });
  const student = await api.send('POST', '/api/v1/students', { body: { email, name: 'Mei' } });
  const path = `/api/v1/students/${String(student.body['id'])}`;
  const enrollment = await api.send('POST', `${path}/enrollments`, { body: { course_id: course.body['id'] } });
  const ids = [String(student.body['id']), String(enrollment.body['id'])];
  const events = await api.events.of(ids, 4);
  const person_id = events.at(-1)?.data['person_id'];
  expect(person_id).toEqual(expect.any(String));
  expect((await api.send('GET', path)).body).toMatchObject({ member_id: expect.any(String) });
  // Time is what is tested: the services do not react to each other without end.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const all = await api.events.of(ids, 4);
  expect(all.map(({ type, aggregate_version }) => [type, aggregate_version])).toEqual([
    ['school.student.created.v1', 1],
    ['school.enrollment.activated.v1', 1],
    ['school.student.linked.v1', 2],
    ['school.enrollment.linked.v1', 2],
  ]);
});

function linkedPerson(path: string, unlike: unknown = null, site = api.sites[0]): Promise<ReceivedResponse> {
  return eventually(
    () => api.send('GET', path, { site }),
    ({ body }) => body['member_id'] !== null && body['member_id'] !== unlike,
  );
}

it('keeps the ETag and updated_at of a student and an enrollment while auth links the person', async () => {
  const course = await api.send('POST', '/api/v1/courses', { body: { name: 'x', slug: `c-${randomUUID()}` } });
  const student = await api.send('POST', '/api/v1/students', { body: { email: `${randomUUID()}@example.com` } });
  const path = `/api/v1/students/${String(student.body['id'])}`;
  const enrolled = await api.send('POST', `${path}/enrollments`, { body: { course_id: course.body['id'] } });
  const enrollment = `${path}/enrollments/${String(enrolled.body['id'])}`;
  const linked = await linkedPerson(path);
  await api.events.of([String(enrolled.body['id'])], 2);
  expect(linked.body['updated_at']).toBe(student.body['updated_at']);
  expect((await api.send('GET', enrollment)).headers['etag']).toBe(enrolled.headers['etag']);
  const ifMatch = (response: ReceivedResponse) => ({ 'if-match': String(response.headers['etag']) });
  // The link changes the tag of reads, not that of edits.
  const fresh = await api.send('GET', path, { headers: { 'if-none-match': String(student.headers['etag']) } });
  expect(fresh.status).toBe(200);
  const patched = await api.send('PATCH', path, { body: { name: 'Mei' }, headers: ifMatch(student) });
  expect(patched.status).toBe(200);
  expect((await api.send('PATCH', path, { body: { name: 'Lin' }, headers: ifMatch(student) })).status).toBe(412);
  const body = { expires_at: '2999-01-01T00:00:00Z' };
  expect((await api.send('PATCH', enrollment, { body, headers: ifMatch(enrolled) })).status).toBe(200);
  expect((await api.send('PATCH', enrollment, { body, headers: ifMatch(enrolled) })).status).toBe(412);
});

it('links the person of a corrected address and sends the enrollments with the person', async () => {
  const course = await api.send('POST', '/api/v1/courses', { body: { name: 'x', slug: `c-${randomUUID()}` } });
  const student = await api.send('POST', '/api/v1/students', { body: { email: `${randomUUID()}@example.com` } });
  const path = `/api/v1/students/${String(student.body['id'])}`;
  const enrolled = await api.send('POST', `${path}/enrollments`, { body: { course_id: course.body['id'] } });
  const before = (await linkedPerson(path)).body['member_id'];
  const email = `${randomUUID()}@example.com`;
  expect((await api.send('PATCH', path, { body: { email } })).status).toBe(200);
  await linkedPerson(path, before);
  const events = await api.events.of([String(enrolled.body['id'])], 3);
  const people = events.map(({ data }) => data['person_id']);
  expect(people).toEqual([null, expect.any(String), expect.any(String)]);
  expect(new Set(people).size).toBe(3);
  const { body } = await api.send<{ data: object[] }>('GET', `/api/v1/students?email=${email}`);
  expect(body.data).toHaveLength(1);
});

it('links only the person of an address that is corrected immediately', async () => {
  const typo = `${randomUUID()}@example.com`;
  const email = `${randomUUID()}@example.com`;
  const student = await api.send('POST', '/api/v1/students', { body: { email: typo } });
  const path = `/api/v1/students/${String(student.body['id'])}`;
  expect((await api.send('PATCH', path, { body: { email } })).status).toBe(200);
  const { body } = await linkedPerson(path);
  expect(body).toMatchObject({ email, state: 'active' });
  const found = await api.send<{ data: object[] }>('GET', `/api/v1/students?email=${typo}`);
  expect(found.body.data).toEqual([]);
});

/** All members of a student that operators of a site can read, without ids, times and cursors. */
async function seen(site: TestSite, email: string): Promise<{ ids: string[]; said: string }> {
  const read = async (path: string) => (await api.send('GET', path, { site })).body;
  const created = await api.send('POST', '/api/v1/students', { site, body: { email, name: 'Mei' } });
  const path = `/api/v1/students/${String(created.body['id'])}`;
  await linkedPerson(path, null, site);
  const repeated = await api.send('POST', '/api/v1/students', { site, body: { email, name: 'Lin' } });
  const responses = await Promise.all([path, `${path}/enrollments`, `/api/v1/students?email=${email}`].map(read));
  const all = JSON.stringify([created.status, repeated.status, repeated.body, ...responses]);
  const said = all
    .replaceAll(email, 'email')
    .replaceAll(site.base_url, 'site')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
  const ids = said.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g) ?? [];
  return { ids, said: ids.reduce((text, id) => text.replaceAll(id, 'id'), said) };
}

it('shows operators nothing about a person at another site', async () => {
  const [one, two] = api.sites;
  const email = `${randomUUID()}@example.com`;
  const first = await seen(one, email);
  const known = await seen(two, email);
  const unknown = await seen(two, `${randomUUID()}@example.com`);
  expect(first.ids.length).toBeGreaterThan(3);
  expect(known.ids.filter((id) => first.ids.includes(id))).toEqual([]);
  expect(known.said).toBe(unknown.said);
  expect(known.said).toBe(first.said);
});

it('changes members at auth, whose events change nothing more', async () => {
  const email = `${randomUUID()}@example.com`;
  const created = await api.send('POST', '/api/v1/members', { body: { email, name: 'Mei', roles: ['lecturer'] } });
  expect([created.status, created.body]).toEqual([
    201,
    expect.objectContaining({ email, name: 'Mei', state: 'invited', roles: ['lecturer'] }),
  ]);
  const path = `/api/v1/members/${String(created.body['id'])}`;
  const changed = await api.send('POST', `${path}/roles`, { body: { roles: ['student'] } });
  expect(changed.body).toMatchObject({ roles: ['student'] });
  const conflict = await api.send('POST', '/api/v1/members', { body: { email, roles: ['admin'] } });
  expect([conflict.status, conflict.body['errors']]).toEqual([
    409,
    [expect.objectContaining({ pointer: '/email', id: created.body['id'] })],
  ]);
  const suspended = await api.send('POST', `${path}/suspend`);
  expect([suspended.status, suspended.body['code']]).toEqual([409, 'invalid_state']);
  // The events of both changes arrive before that of another student.
  const student = await api.send('POST', '/api/v1/students', { body: { email: `${randomUUID()}@example.com` } });
  await linkedPerson(`/api/v1/students/${String(student.body['id'])}`);
  expect((await api.send('GET', path)).body).toEqual(changed.body);
});

it('refuses to change the owner who asks', async () => {
  const { body } = await api.send<{ data: { id: string }[] }>('GET', '/api/v1/members?role=owner');
  expect(body.data.length).toBeGreaterThan(0);
  for (const { id } of body.data) {
    const refused = await api.send('POST', `/api/v1/members/${id}/roles`, { body: { roles: ['student'] } });
    expect([refused.status, refused.body['code']]).toEqual([403, 'forbidden']);
  }
});
