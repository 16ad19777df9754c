import { MEMBER_FIELD_LIMITS } from '@lyceum/contracts';
import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { Identity } from './identity.js';
import { toolCaller } from './tool-caller.js';

let api: TestApi;
let identity: Identity;

const COHORT = { key: 'cohort', type: 'choice', label: 'Cohort', options: ['morning', 'evening'] };
const FIELDS = [
  COHORT,
  { key: 'seat', type: 'number', label: 'Seat', options: [] },
  { key: 'paid', type: 'boolean', label: 'Paid', options: [] },
  { key: 'since', type: 'date', label: 'Since', options: [] },
  { key: 'note', type: 'text', label: 'Note', options: [] },
];
const VALUES = { cohort: 'evening', seat: 7.5, paid: false, since: '2026-11-20', note: 'x' };

const setFields = (member_fields: readonly object[], site = api.sites[0]) =>
  api.send('PATCH', '/api/v1/school', { body: { member_fields }, site });

beforeAll(async () => {
  api = await startAdminApi();
  identity = await Identity.start(api.nats.environment);
  expect((await setFields(FIELDS)).body['member_fields']).toEqual(FIELDS);
});
afterAll(async () => {
  await identity.stop();
  await api.stop();
});

const path = ({ id }: Record<string, unknown>, action = ''): string => `/api/v1/members/${String(id)}${action}`;
const invite = async (more: object = {}) =>
  (
    await api.send('POST', '/api/v1/members', {
      body: { email: `${randomUUID()}@example.com`, name: 'Mei Lin', roles: ['lecturer'], ...more },
    })
  ).body;
const patch = (member: Record<string, unknown>, body: object) => api.send('PATCH', path(member), { body });

it('records values of each type, and clears one with null', async () => {
  const member = await invite({ custom_fields: { seat: 1 } });
  expect(member).toMatchObject({ custom_fields: { seat: 1 } });
  expect((await patch(member, { custom_fields: VALUES })).body).toMatchObject({ custom_fields: VALUES });
  const { body } = await patch(member, { custom_fields: { note: null, paid: true } });
  expect(body['custom_fields']).toEqual({ cohort: 'evening', seat: 7.5, paid: true, since: '2026-11-20' });
  expect((await api.send('GET', path(member))).body['custom_fields']).toEqual(body['custom_fields']);
  const log = await api.send<{ data: object[] }>('GET', `/api/v1/activity?object_id=${String(member['id'])}`);
  expect(log.body.data[0]).toMatchObject({
    action: 'member.updated',
    changed_fields: ['custom_fields'],
    actor: { via: 'rest' },
  });
});

it('names the known keys for an unknown one, and sends identity nothing', async () => {
  const member = await invite();
  identity.requests.length = 0;
  const body = { name: 'Other', custom_fields: { shoe: 'red', seat: 'seven' } };
  const refused = await patch(member, body);
  expect([refused.status, refused.body['code'], refused.body['errors'], refused.body['hint']]).toEqual([
    422,
    'validation_failed',
    [
      {
        pointer: '/custom_fields/shoe',
        code: 'unknown_member',
        detail: 'The settings of the school have no such custom field',
      },
      { pointer: '/custom_fields/seat', code: 'invalid_value', detail: 'The type number needs a number' },
    ],
    'The custom fields of members are cohort, seat, paid, since, note',
  ]);
  const invited = await api.send('POST', '/api/v1/members', {
    body: { email: `${randomUUID()}@example.com`, roles: ['lecturer'], custom_fields: { cohort: 'noon' } },
  });
  expect(invited).toMatchObject({ status: 422, body: { errors: [{ pointer: '/custom_fields/cohort' }] } });
  expect(identity.requests).toEqual([]);
});

it('accepts a text of the longest length, and no longer one', async () => {
  const member = await invite();
  const note = 'x'.repeat(MEMBER_FIELD_LIMITS.text);
  expect((await patch(member, { custom_fields: { note } })).status).toBe(200);
  const longer = await patch(member, { custom_fields: { note: `${note}x` } });
  expect(longer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/custom_fields/note' }] } });
});

it('keeps the values of a removed field until they are cleared', async () => {
  const member = await invite({ custom_fields: { note: 'kept', seat: 2 } });
  await setFields(FIELDS.filter(({ key }) => key !== 'note'));
  expect((await patch(member, { custom_fields: { seat: 3 } })).body['custom_fields']).toEqual({
    note: 'kept',
    seat: 3,
  });
  expect((await patch(member, { custom_fields: { note: 'new' } })).status).toBe(422);
  expect((await patch(member, { custom_fields: { note: null } })).body['custom_fields']).toEqual({ seat: 3 });
  await setFields(FIELDS);
});

it('takes the fields of the site of the member only', async () => {
  const [, other] = api.sites;
  const body = { email: `${randomUUID()}@example.com`, roles: ['lecturer'], custom_fields: { seat: 1 } };
  const refused = await api.send('POST', '/api/v1/members', { body, site: other });
  expect(refused).toMatchObject({
    status: 422,
    body: {
      errors: [{ pointer: '/custom_fields/seat', code: 'unknown_member' }],
      hint: '`member_fields` of the school adds custom fields; it has none yet',
    },
  });
});

it('refuses more fields than the limit, with the pointer', async () => {
  const field = (n: number): object => ({ key: `k${n}`, type: 'text', label: 'Label' });
  const most = Array.from({ length: MEMBER_FIELD_LIMITS.fields }, (_, n) => field(n));
  const [, other] = api.sites;
  expect((await setFields(most, other)).status).toBe(200);
  const refused = await setFields([...most, field(most.length)], other);
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/member_fields', code: 'too_large' }] } });
  const wrong = await setFields([{ ...COHORT, options: [] }], other);
  expect(wrong).toMatchObject({ status: 422, body: { errors: [{ pointer: '/member_fields/0/options' }] } });
});

it('lists members by tag', async () => {
  const tag = randomUUID();
  const tagged = await invite({ tags: [tag] });
  const member = await invite();
  const ids = async () =>
    (await api.send<{ data: { id: string }[] }>('GET', `/api/v1/members?tag=${tag}`)).body.data.map(({ id }) => id);
  expect(await ids()).toEqual([tagged['id']]);
  expect((await patch(member, { tags: ['a', tag] })).body['tags']).toEqual(['a', tag]);
  expect(await ids()).toEqual([member['id'], tagged['id']]);
  expect((await patch(tagged, { tags: [] })).status).toBe(200);
  expect(await ids()).toEqual([member['id']]);
});

it('lists members by the time when they joined', async () => {
  const member = await invite();
  const joined = String(member['joined_at']);
  const ids = async (filter: string) => {
    const path = `/api/v1/members?joined_at[${filter}]=${joined}&limit=100`;
    return (await api.send<{ data: { id: string }[] }>('GET', path)).body.data.map(({ id }) => id);
  };
  expect(await ids('gte')).toContain(member['id']);
  expect(await ids('gt')).not.toContain(member['id']);
});

it('erases tags and values with a removed member', async () => {
  const member = await invite({ tags: ['vip'], custom_fields: VALUES });
  expect((await api.send('POST', path(member, '/remove'))).body).toMatchObject({
    state: 'removed',
    tags: [],
    custom_fields: {},
  });
});

it('changes tags, the profile and custom fields of each type by a tool', async () => {
  const { id } = await invite({ custom_fields: { note: 'old' } });
  const scopes = ['members:read', 'members:write'];
  const caller = { scopes, member: { member_id: randomUUID(), roles: ['owner' as const] } };
  const { call } = toolCaller(api);
  const changes = { tags: ['a'], phone_number: '+886912345678' };
  const { note: _note, ...kept } = VALUES;
  const pairs = Object.entries({ ...kept, note: null }).map(([key, value]) => ({ key, value }));
  const { member } = await call<{ member: object }>('update_member', { id, ...changes, custom_fields: pairs }, caller);
  expect(member).toMatchObject({ id, ...changes });
  expect((member as { custom_fields: object }).custom_fields).toEqual(kept);
  const wrong = { id, custom_fields: [{ key: 'seat', value: 'seven' }] };
  expect(await call('update_member', wrong, caller)).toMatchObject({
    code: 'validation_failed',
    errors: [{ pointer: '/custom_fields/seat', code: 'invalid_value' }],
  });
});
