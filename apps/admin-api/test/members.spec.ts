import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { Identity } from './identity.js';
import { at } from './learner.js';
import { newCourse } from './new-course.js';
import { move, newLectures } from './new-lectures.js';
import { toolCaller } from './tool-caller.js';
import type { Items } from './tool-caller.js';

let api: TestApi;
let identity: Identity;

beforeAll(async () => {
  api = await startAdminApi();
  identity = await Identity.start(api.nats.environment);
  const member_fields = ['cohort', 'seat'].map((key) => ({ key, type: 'text', label: key }));
  await api.send('PATCH', '/api/v1/school', { body: { member_fields } });
});
afterAll(async () => {
  await identity.stop();
  await api.stop();
});

const invite = async (more: object = {}): Promise<Record<string, unknown>> =>
  (
    await api.send('POST', '/api/v1/members', {
      body: { email: `${randomUUID()}@example.com`, name: 'Mei Lin', roles: ['lecturer'], ...more },
    })
  ).body;
const path = ({ id }: Record<string, unknown>, action = ''): string => `/api/v1/members/${String(id)}${action}`;

/** An event of identity, with a later one of another person, so that the first is applied when the second is listed. */
async function publish(data: Parameters<TestApi['events']['sendRoles']>[0], version: number): Promise<void> {
  await api.events.sendRoles(data, version);
  const last = membership();
  await api.events.sendRoles(last, 1);
  for (;;) {
    const { status } = await api.send('GET', path({ id: last.member_id }));
    if (status === 200) return;
  }
}
const membership = () => ({
  site_id: api.sites[0].site_id,
  person_id: randomUUID(),
  member_id: randomUUID(),
  email: `${randomUUID()}@example.com`,
  name: 'Mei Lin',
  roles: ['lecturer' as const],
  state: 'active' as const,
  joined_at: '2026-11-20T08:00:00.000Z',
});

it('shows a member of identity with the profile', async () => {
  const member = { ...membership(), phone: '+886912345678', picture: 'https://a.example/a.png', locale: 'zh-TW' };
  await publish(member, 1);
  expect((await api.send('GET', path({ id: member.member_id }))).body).toMatchObject({
    id: member.member_id,
    email: member.email,
    name: 'Mei Lin',
    phone_number: '+886912345678',
    avatar_url: 'https://a.example/a.png',
    locale: 'zh-TW',
    state: 'active',
    roles: ['lecturer'],
    joined_at: member.joined_at,
    custom_fields: {},
  });
});

it('shows a new member at its place, and the result of each write to the next read', async () => {
  const email = `${randomUUID()}@example.com`;
  const created = await api.send('POST', '/api/v1/members', { body: { email, roles: ['student', 'lecturer'] } });
  expect([created.status, created.headers['location']]).toEqual([201, `${api.sites[0].base_url}${path(created.body)}`]);
  expect(created.body).toMatchObject({ email, roles: ['lecturer', 'student'] });
  for (const [action, body, expected] of [
    ['/roles', { roles: ['admin'] }, { roles: ['admin'], state: 'active' }],
    ['/suspend', undefined, { roles: ['admin'], state: 'suspended' }],
    ['/reinstate', undefined, { roles: ['admin'], state: 'active' }],
  ] as const) {
    const written = await api.send('POST', path(created.body, action), body && { body });
    expect([written.status, written.body]).toEqual([200, expect.objectContaining(expected)]);
    expect((await api.send('GET', path(created.body))).body).toEqual(written.body);
  }
});

it('adds the student of a member with that role, once', async () => {
  const { email } = await invite({ roles: ['student'] });
  const { body } = await api.send<{ data: object[] }>('GET', `/api/v1/students?email=${String(email)}`);
  expect(body.data).toHaveLength(1);
});

it('shows what a member learns as a student, with another entity tag that no editor needs', async () => {
  const member = await invite({ roles: ['student'] });
  const before = await api.send('GET', path(member));
  expect(before.body).toMatchObject({ enrollments_count: 0, last_seen_at: null });
  const email = String(member['email']);
  const { data } = (await api.send<{ data: { id: string }[] }>('GET', `/api/v1/students?email=${email}`)).body;
  const student = `/api/v1/students/${data[0]?.id ?? ''}`;
  for (const minute of [5, 3]) {
    const { id: course_id } = await newCourse(api);
    const [lecture_id = ''] = await newLectures(api, course_id, 1);
    await move(api, lecture_id, 'publish');
    await api.send('POST', `${student}/enrollments`, { body: { course_id } });
    const watched = { course_id, lecture_id, position_seconds: 1, watched_at: at(minute) };
    expect((await api.send('POST', `${student}/progress`, { body: watched })).status).toBe(201);
  }
  const learned = { enrollments_count: 2, last_seen_at: at(5) };
  const tag = String(before.headers['etag']);
  const after = await api.send('GET', path(member), { headers: { 'if-none-match': tag } });
  expect([after.status, after.body]).toEqual([200, expect.objectContaining(learned)]);
  const listed = await api.send<{ data: object[] }>('GET', `/api/v1/members?email=${email}`);
  expect(listed.body.data).toMatchObject([learned]);
  const { items } = await toolCaller(api).call<Items>('list_members', { email }, { scopes: ['members:read'] });
  expect(items).toMatchObject([learned]);
  const edited = await api.send('PATCH', path(member), { body: { tags: ['a'] }, headers: { 'if-match': tag } });
  expect([edited.status, edited.body]).toEqual([200, expect.objectContaining(learned)]);
});

it('sorts members by the instant at which they joined, in pages', async () => {
  const unique = randomUUID();
  const joined = ['2026-03-01', '2026-01-01', '2026-02-01'].map((day) => `${day}T00:00:00.000Z`);
  for (const joined_at of joined) await publish({ ...membership(), name: unique, joined_at }, 1);
  const listed = async (sort: string): Promise<unknown[]> => {
    const found = [];
    for (let cursor = ''; ;) {
      const page = await api.send<{ data: Record<string, unknown>[]; page: { next_cursor: string | null } }>(
        'GET',
        `/api/v1/members?q=${unique}&sort=${sort}&limit=2${cursor}`,
      );
      found.push(...page.body.data.map(({ joined_at }) => joined_at));
      if (page.body.page.next_cursor === null) return found;
      cursor = `&cursor=${page.body.page.next_cursor}`;
    }
  };
  expect(await listed('joined_at')).toEqual(joined.toSorted());
  expect(await listed('-joined_at')).toEqual(joined.toSorted().toReversed());
});

it('keeps what the school says of a member when identity changes the profile', async () => {
  const member = await invite({ custom_fields: { cohort: 'evening' }, external_id: randomUUID() });
  const patched = await api.send('PATCH', path(member), { body: { name: 'Lin', custom_fields: { seat: '7' } } });
  expect(patched.body).toMatchObject({
    name: 'Lin',
    custom_fields: { cohort: 'evening', seat: '7' },
    external_id: member['external_id'],
  });
});

it('ignores an event that is older than the response to a write', async () => {
  const member = membership();
  await publish(member, 5);
  await publish({ ...member, name: 'Before' }, 4);
  await publish({ ...member, name: 'The same' }, 5);
  expect((await api.send('GET', path({ id: member.member_id }))).body['name']).toBe('Mei Lin');
});

it('repeats a request with its id after a lost response, and changes the member once', async () => {
  const member = await invite();
  const request = { headers: { 'idempotency-key': randomUUID() } };
  identity.lost = 1;
  identity.requests.length = 0;
  expect((await api.send('POST', path(member, '/suspend'), request)).status).toBe(503);
  expect((await api.send('GET', path(member))).body['state']).toBe('active');
  const again = await api.send('POST', path(member, '/suspend'), request);
  expect([again.status, again.body['state']]).toEqual([200, 'suspended']);
  expect(identity.requests).toHaveLength(2);
  expect(new Set(identity.requests).size).toBe(1);
  const { body } = await api.send<{ data: { action: string }[] }>(
    'GET',
    `/api/v1/activity?object_id=${String(member['id'])}`,
  );
  expect(body.data.map(({ action }) => action)).toEqual(['member.suspended', 'member.invited']);
});

it('invites one of two people at a time with one external id, and sends identity no other invitation', async () => {
  identity.requests.length = 0;
  const external_id = randomUUID();
  const send = () =>
    api.send('POST', '/api/v1/members', {
      body: { email: `${randomUUID()}@example.com`, roles: ['lecturer'], external_id },
    });
  const responses = await Promise.all([send(), send()]);
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  expect(responses.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'already_exists',
    errors: [{ pointer: '/external_id', id: responses.find(({ status }) => status === 201)?.body['id'] }],
  });
  expect(identity.requests).toHaveLength(1);
});

it('refuses to invite an address that replaces the one of an erased person', async () => {
  identity.requests.length = 0;
  const body = { email: `${randomUUID()}@DELETED.invalid`, roles: ['student'] };
  const { status, body: refused } = await api.send('POST', '/api/v1/members', { body });
  const field = { pointer: '/email', code: 'invalid_value', detail: 'The domain deleted.invalid is reserved' };
  expect([status, refused['errors'], identity.requests]).toEqual([422, [field], []]);
});

it('refuses an external id of another member before identity invites the person', async () => {
  const { id, external_id } = await invite({ external_id: randomUUID() });
  identity.requests.length = 0;
  const body = { email: `${randomUUID()}@example.com`, roles: ['admin'], external_id };
  const refused = await api.send('POST', '/api/v1/members', { body });
  expect([refused.status, refused.body['errors']]).toEqual([
    409,
    [expect.objectContaining({ pointer: '/external_id', id })],
  ]);
  expect(identity.requests).toEqual([]);
});

it('refuses an external id of another member before identity changes the profile', async () => {
  const [{ external_id }, member] = [await invite({ external_id: randomUUID() }), await invite()];
  identity.requests.length = 0;
  const refused = await api.send('PATCH', path(member), { body: { name: 'Lin', external_id } });
  expect([refused.status, refused.body['code']]).toEqual([409, 'already_exists']);
  expect(identity.requests).toEqual([]);
});

it('returns 503 while identity does not respond', async () => {
  const other = await startAdminApi();
  const body = { email: 'mei@example.com', roles: ['student'] };
  const { status } = await other.send('POST', '/api/v1/members', { body });
  await other.stop();
  expect(status).toBe(503);
});

it.each(['lecturer', 'teaching_assistant', 'student'] as const)('refuses each tool for a %s', async (role) => {
  const { id: member_id } = await invite();
  const id = String(member_id);
  const member = { member_id: randomUUID(), roles: [role] };
  const scopes = ['members:read', 'members:write'];
  const calls: readonly (readonly [string, object])[] = [
    ['list_members', {}],
    ['get_member', { id }],
    ['invite_member', { email: 'mei@example.com', roles: ['student'] }],
    ['update_member', { id, tags: ['a'] }],
    ['set_member_roles', { id, roles: ['admin'] }],
    ['suspend_member', { id }],
    ['reinstate_member', { id }],
    ['remove_member', { id }],
  ];
  for (const [name, args] of calls) {
    expect([name, await toolCaller(api).call(name, args, { scopes, member })]).toEqual([
      name,
      expect.objectContaining({ ok: false, code: 'forbidden' }),
    ]);
  }
});
