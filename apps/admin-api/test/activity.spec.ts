import { randomUUID } from 'node:crypto';
import { REQUEST_HEADERS, listActivity, replySchema, roleEvents } from '@lyceum/contracts';
import type { Role } from '@lyceum/contracts';
import { connectAs, eventually } from '@lyceum/testing';
import { headers } from '@nats-io/transport-node';
import { DataSource } from 'typeorm';
import type { z } from 'zod';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { newCourse } from './new-course.js';
import { toolCaller } from './tool-caller.js';
import type { Items } from './tool-caller.js';

/** The member id of callers of tools: see `operator`. */
const SCOPES = ['school:read', 'courses:read', 'courses:write', 'appearance:write'];

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly summary: string;
  readonly object_type: string;
  readonly object_id: string | null;
  readonly actor: { readonly member_id: string; readonly name: string | null; readonly via: string };
  readonly changed_fields: string[];
  readonly created_at: string;
}

let api: TestApi;
let database: DataSource;
beforeAll(async () => {
  api = await startAdminApi();
  database = await new DataSource({ type: 'postgres', url: api.databaseUrl }).initialize();
});
afterAll(async () => {
  await database.destroy();
  await api.stop();
});

/** A caller at the first site whose name has arrived. */
async function member(roles: Role[], name = 'Mei Lin') {
  const [person_id, member_id] = [randomUUID(), randomUUID()];
  const { site_id } = api.sites[0];
  const data: z.input<(typeof roleEvents)['data']> = {
    site_id,
    person_id,
    member_id,
    email: `${person_id}@example.com`,
    name,
    roles,
    joined_at: '2026-11-20T08:00:00.000Z',
  };
  await api.events.sendRoles(data, 1);
  const arrived = () => database.query<unknown[]>('select 1 from members where person_id = $1', [person_id]);
  await eventually(async () => (await arrived()).length > 0);
  return { person_id, member: { member_id, roles } };
}

const list = (args: object, who: Awaited<ReturnType<typeof member>>) =>
  toolCaller(api).call<Items<Entry> & { code?: string }>('list_activity', args, { scopes: SCOPES, ...who });

it('lists changes with their actor and way, newest first and without values', async () => {
  const owner = await member(['owner']);
  const { id } = await newCourse(api, { name: 'Oil' });
  const call = (name: string, args: object) => toolCaller(api).call(name, args, { scopes: SCOPES, ...owner });
  await call('update_course', { id, name: 'Oil painting' });
  await call('publish_course', { id });
  const { items } = await list({ object_id: id }, owner);
  expect(
    items.map(({ action, object_type, changed_fields, actor }) => [action, object_type, changed_fields, actor.via]),
  ).toEqual([
    ['course.published', 'course', ['state', 'published_at'], 'tool'],
    ['course.updated', 'course', ['name'], 'tool'],
    ['course.created', 'course', [], 'rest'],
  ]);
  expect(items[0]?.actor).toEqual({
    member_id: owner.member.member_id,
    name: 'Mei Lin',
    client_id: 'an-app',
    via: 'tool',
    request_id: expect.any(String),
  });
  expect(JSON.stringify(items)).not.toContain('Oil');
  const [published] = items;
  expect((await api.events.of([id], 3)).at(-1)).toMatchObject({
    id: published?.id,
    occurred_at: published?.created_at,
  });
});

it('names the settings of the school without the internal id of the site', async () => {
  const owner = await member(['admin']);
  const patched = await api.send('PATCH', '/api/v1/appearance', { body: { logo_url: 'https://cdn.example/a.svg' } });
  expect(patched.status).toBe(200);
  const { items } = await list({ object_type: 'appearance' }, owner);
  expect(items).toMatchObject([{ action: 'appearance.updated', object_id: null, changed_fields: ['logo_url'] }]);
  expect(JSON.stringify(items)).not.toContain(api.sites[0].site_id);
});

it.each<[Role[]]>([[[]], [['student']], [['lecturer']], [['teaching_assistant']]])(
  'refuses a member with the roles %j',
  async (roles) => {
    expect(await list({}, await member(roles))).toMatchObject({ code: 'forbidden' });
  },
);

it('lists changes for an owner whose name has not arrived', async () => {
  expect((await api.send('GET', '/api/v1/activity')).status).toBe(200);
});

it('filters by member, action and time at one site', async () => {
  const owner = await member(['owner']);
  const elsewhere = await api.send('POST', '/api/v1/courses', {
    site: api.sites[1],
    body: { name: 'Elsewhere', slug: 'elsewhere' },
  });
  expect(elsewhere.status).toBe(201);
  const { id } = await newCourse(api);
  const [created] = (await list({ object_id: id }, owner)).items;
  expect(created?.action).toBe('course.created');
  const idsOf = async (args: object) => (await list(args, owner)).items.map((one) => one.object_id);
  expect(await idsOf({ action: 'course.created', member_id: created?.actor.member_id })).toContain(id);
  expect(await idsOf({ action: 'course.published', object_id: id })).toEqual([]);
  expect(await idsOf({ member_id: randomUUID() })).toEqual([]);
  expect(await idsOf({ object_id: elsewhere.body['id'] })).toEqual([]);
});

it('logs no dry run, no-op, replay or change of the system', async () => {
  const { id } = await newCourse(api);
  const count = async () => {
    const [row] = await database.query<{ count: number }[]>('select count(*)::int as count from activity');
    return row?.count ?? 0;
  };
  const before = await count();
  await api.send('PATCH', `/api/v1/courses/${id}?dry_run=true`, { body: { name: 'Other' } });
  await api.send('PATCH', `/api/v1/courses/${id}`, { body: { name: 'A course' } });
  await member(['student']);
  expect(await count()).toBe(before);
  const replayed = { body: { name: 'Other' }, headers: { 'idempotency-key': randomUUID() } };
  await api.send('PATCH', `/api/v1/courses/${id}`, replayed);
  await api.send('PATCH', `/api/v1/courses/${id}`, replayed);
  expect(await count()).toBe(before + 1);
});

it('returns a sentence for each entry', async () => {
  await member(['owner']);
  const { id } = await newCourse(api);
  await api.send('PATCH', `/api/v1/courses/${id}`, { body: { name: 'Oil', subtitle: 'On wood' } });
  const { body } = await api.send<{ data: Entry[] }>('GET', `/api/v1/activity?object_id=${id}`);
  expect(body.data.map(({ summary }) => summary.replace(/^.* (?=created|updated)/, ''))).toEqual([
    'updated a course (name and subtitle)',
    'created a course',
  ]);
});

describe('a request of auth for the activity', () => {
  /** Sends the request as auth does. */
  async function request(site_id: string, roles: Role[], more: { cursor?: string; limit?: number } = {}) {
    const auth = await connectAs(api.nats.environment('auth'));
    const head = headers();
    head.set(REQUEST_HEADERS.site, site_id);
    const input = { roles, cursor: null, limit: 50, ...more };
    const response = await auth.request(listActivity.subject, JSON.stringify(input), {
      headers: head,
      timeout: 30_000,
    });
    await auth.close();
    const reply = replySchema.parse(response.json());
    return reply.ok ? listActivity.output.parse(reply.result) : reply.error.code;
  }
  const pageOf = async (...args: Parameters<typeof request>) => {
    const result = await request(...args);
    if (typeof result === 'string') throw new Error(`Refused: ${result}`);
    return result;
  };

  it.each<[Role]>([['owner'], ['admin']])('returns the sentences of the API to an %s, by pages', async (role) => {
    const [{ site_id }] = api.sites;
    await newCourse(api);
    const { body } = await api.send<{ data: Entry[] }>('GET', '/api/v1/activity?limit=2');
    const first = await pageOf(site_id, [role], { limit: 1 });
    const second = await pageOf(site_id, [role], { limit: 1, cursor: first.next_cursor ?? '' });
    expect([...first.entries, ...second.entries].map(({ id, summary }) => ({ id, summary }))).toEqual(
      body.data.map(({ id, summary }) => ({ id, summary })),
    );
    const parts = body.data.map(({ action, object_type, changed_fields, actor: { name } }) => ({
      name,
      action,
      object_type,
      changed_fields,
    }));
    expect([...first.entries, ...second.entries].map(({ change }) => change)).toEqual(parts);
  });

  it.each<[Role[]]>([[[]], [['student']], [['lecturer', 'teaching_assistant']]])(
    'refuses the roles %j',
    async (roles) => {
      expect(await request(api.sites[0].site_id, roles)).toBe('forbidden');
    },
  );

  it('returns no entry of another site, and takes no cursor of one', async () => {
    const [here, there] = api.sites;
    await newCourse(api);
    await newCourse(api);
    const { id } = await newCourse(api, {}, there);
    const { body } = await api.send<{ data: Entry[] }>('GET', `/api/v1/activity?object_id=${id}`, { site: there });
    const foreign = body.data[0]?.id;
    expect(foreign).toEqual(expect.any(String));
    const { entries, next_cursor } = await pageOf(here.site_id, ['owner'], { limit: 1 });
    expect(entries.map((entry) => entry.id)).not.toContain(foreign);
    expect((await pageOf(there.site_id, ['owner'], { limit: 1 })).entries.map((entry) => entry.id)).toEqual([foreign]);
    expect(await request(there.site_id, ['owner'], { cursor: next_cursor ?? '' })).toBe('invalid_cursor');
    expect(await request(here.site_id, ['owner'], { limit: 101 })).toBe('validation_failed');
  });
});

describe('the log', () => {
  it.each(['update activity set via = via', 'delete from activity', 'truncate activity', 'truncate activity_default'])(
    'refuses: %s',
    async (statement) => {
      await newCourse(api);
      await expect(database.query(statement)).rejects.toThrow('activity is append-only');
    },
  );

  it('refuses a change of a partition as well', async () => {
    await newCourse(api);
    const [row] = await database.query<{ name: string }[]>(
      'select tableoid::regclass::text as name from activity limit 1',
    );
    await expect(database.query(`delete from ${row?.name}`)).rejects.toThrow('activity is append-only');
  });
});
