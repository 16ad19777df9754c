import { randomUUID } from 'node:crypto';
import type { Principal } from '@lyceum/contracts';
import { eventually } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import { ChangeService } from '#src/changes/change.service.js';
import { republishCommand } from '#src/republication/republish.command.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { CouponSeller } from './coupon-seller.js';
import { withDatabase } from './database.js';
import { newCourse } from './new-course.js';
import { TestEvent } from './new-events.js';
import { toolCaller } from './tool-caller.js';
import type { Items } from './tool-caller.js';

interface Change {
  readonly id: string;
  readonly type: string;
  readonly object_id: string;
  readonly occurred_at: string;
  readonly created_at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Feed {
  readonly data: readonly Change[];
  readonly page: { readonly next_cursor: string; readonly has_more: boolean };
}

const PATH = '/api/v1/changes';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const page = async (query: string, scope?: string) => {
  const { body, headers } = await api.send<Feed>('GET', `${PATH}?${query}`, {
    ...(scope !== undefined && { token: await api.token(scope) }),
  });
  return { ...body, link: headers['link'] };
};

/** The whole feed. */
async function all(query = ''): Promise<readonly Change[]> {
  const read = await page(`limit=100${query}`);
  if (!read.page.has_more) return read.data;
  return [...read.data, ...(await all(`&cursor=${read.page.next_cursor}`))];
}

/** Waits for the expected number of changes of the object. */
const changesOf = (object_id: string, count: number): Promise<readonly Change[]> =>
  eventually(
    async () => (await all()).filter((change) => change.object_id === object_id),
    (found) => found.length >= count,
  );

async function newStudent(): Promise<{ id: string; email: string; name: string }> {
  const [email, name] = [`${randomUUID()}@example.com`, `Mei ${randomUUID()}`];
  const { body } = await api.send<{ id: string }>('POST', '/api/v1/students', { body: { email, name } });
  return { id: body.id, email, name };
}

it('lists the changes of an object in their order, with the ids of their events, up to its deletion', async () => {
  const external_id = randomUUID();
  const { id } = await newCourse(api, { name: 'Oil', external_id });
  await api.send('PATCH', `/api/v1/courses/${id}`, { body: { name: 'Oil painting' } });
  await api.send('DELETE', `/api/v1/courses/${id}`);
  const changes = await changesOf(id, 3);
  expect(changes.map(({ type }) => type)).toEqual(['course.created', 'course.updated', 'course.deleted']);
  expect(changes.map(({ data }) => data['external_id'])).toEqual([external_id, external_id, external_id]);
  expect(changes[1]?.data).toEqual({
    external_id,
    slug: expect.any(String),
    name: 'Oil painting',
    subtitle: null,
    state: 'draft',
    published_at: null,
  });
  const events = await api.events.of([id], 3);
  const identity = ({ id: event, occurred_at }: { id: string; occurred_at: string }) => ({ id: event, occurred_at });
  expect(changes.map(identity)).toEqual(
    events
      .filter(({ aggregate_id }) => aggregate_id === id)
      .slice(0, 3)
      .map(identity),
  );
});

it('lists the redemption of a coupon', async () => {
  const seller = new CouponSeller(api);
  const { id, code } = await seller.coupon();
  const { id: student_id } = await newStudent();
  const order_id = randomUUID();
  await seller.redeem({ code, student_id, order_id });
  expect(await changesOf(id, 1)).toMatchObject([
    {
      type: 'coupon.redeemed',
      data: { code, redemption: { order_id, student_id, discount: { amount_minor: 10_000, currency: 'TWD' } } },
    },
  ]);
});

it('lists changes of members and students without their names and addresses', async () => {
  const { site_id } = api.sites[0];
  const { id: course_id } = await newCourse(api);
  const { id: student, email, name } = await newStudent();
  const enrolled = await api.send('POST', `/api/v1/students/${student}/enrollments`, { body: { course_id } });
  const [member_id, person_id] = [randomUUID(), randomUUID()];
  const joined_at = '2026-11-20T08:00:00.000Z';
  await api.events.sendRoles({ site_id, member_id, person_id, email, name, roles: ['student'], joined_at }, 2);
  expect(await changesOf(member_id, 1)).toMatchObject([
    { type: 'member.updated', data: { state: 'active', roles: ['student'] } },
  ]);
  // Linking the student publishes the enrollment again, which is no change of it.
  const enrollment = String(enrolled.body['id']);
  await api.events.of([enrollment], 2);
  await changesOf((await newCourse(api)).id, 1);
  expect((await changesOf(enrollment, 1)).map(({ type }) => type)).toEqual(['enrollment.activated']);
  const database = await new DataSource({ type: 'postgres', url: api.databaseUrl }).initialize();
  const [found] = await database.query<{ all: string }[]>(
    'select string_agg(changes::text, chr(10)) as all from changes',
  );
  await database.destroy();
  expect(found?.all).toContain(enrollment);
  for (const text of [email, name, person_id]) expect(found?.all).not.toContain(text);
});

it('lists the keys of deleted parts of a course, and of registrations with their students', async () => {
  const { id: course_id } = await newCourse(api);
  const { body: section } = await api.send<{ id: string }>('POST', '/api/v1/sections', {
    body: { course_id, title: 'Knots', external_id: 'section-7' },
  });
  await api.send('DELETE', `/api/v1/sections/${section.id}`);
  expect(await changesOf(section.id, 1)).toMatchObject([
    { type: 'section.deleted', data: { course_id, external_id: 'section-7' } },
  ]);
  const { id: student_id } = await newStudent();
  const event = await TestEvent.open(api);
  const { id } = await event.registered(student_id, { external_id: 'badge-17' });
  await event.move(id, 'cancel');
  const data = { event_id: event.id, student_id, external_id: 'badge-17' };
  expect(await changesOf(id, 2)).toMatchObject([
    { type: 'event_registration.registered', data },
    { type: 'event_registration.canceled', data },
  ]);
});

it('shows teachers the deletion of own courses', async () => {
  const { site_id } = api.sites[0];
  const [{ id: own }, { id: other }] = await Promise.all([newCourse(api), newCourse(api)]);
  const member_id = randomUUID();
  await withDatabase(api.databaseUrl, (client) =>
    client.query(
      `with lecturer as (insert into lecturers (site_id, slug, name, member_id) values ($1, $2, 'L', $4) returning id)
       insert into course_lecturers (site_id, course_id, lecturer_id, position) select $1, $3, id, 1 from lecturer`,
      [site_id, `l-${member_id}`, own, member_id],
    ),
  );
  for (const id of [own, other]) await api.send('DELETE', `/api/v1/courses/${id}`);
  await Promise.all([own, other].map((id) => changesOf(id, 2)));
  const teacher: Partial<Principal> = { site_id, member_id, scopes: ['courses:read'], roles: ['lecturer'] };
  const { rows } = await api.service.app
    .get(ChangeService, { strict: false })
    .list(teacher as Principal, { limit: 100 });
  expect(rows.map(({ type, object_id }) => [type, object_id])).toEqual([
    ['course.created', own],
    ['course.deleted', own],
  ]);
});

it('adds nothing when the service republishes its state', async () => {
  const { id } = await newCourse(api);
  await changesOf(id, 1);
  await republishCommand.run(api.config, ['course']);
  const { id: later } = await newCourse(api);
  await changesOf(later, 1);
  expect(await changesOf(id, 1)).toHaveLength(1);
});

describe('a page', () => {
  it('leads to the next one, and its cursor outlasts the last one', async () => {
    const { id } = await newCourse(api);
    await changesOf(id, 1);
    const first = await page('limit=1');
    expect([first.data.length, first.page]).toEqual([
      1,
      { next_cursor: first.page.next_cursor, has_more: true, limit: 1 },
    ]);
    expect(first.link).toContain(`cursor=${encodeURIComponent(first.page.next_cursor)}`);
    let last = first;
    while (last.page.has_more) last = await page(`cursor=${last.page.next_cursor}`);
    expect(last.link).toBeUndefined();
    const empty = await page(`cursor=${last.page.next_cursor}`);
    expect([empty.data, empty.page.has_more]).toEqual([[], false]);
    const { id: later } = await newCourse(api);
    await changesOf(later, 1);
    expect((await page(`cursor=${empty.page.next_cursor}`)).data.map(({ object_id }) => object_id)).toContain(later);
  });

  it('shows the types that the caller asks for', async () => {
    const { id } = await newCourse(api);
    await api.send('POST', `/api/v1/courses/${id}/publish`);
    await changesOf(id, 2);
    const { data } = await page('type=course.published,course.deleted&limit=100');
    expect(data.map(({ object_id }) => object_id)).toContain(id);
    expect(data.filter(({ type }) => type !== 'course.published' && type !== 'course.deleted')).toEqual([]);
    expect((await api.send('GET', `${PATH}?type=course.linked`)).body).toMatchObject({ code: 'invalid_request' });
    expect((await api.send('GET', `${PATH}?sort=-created_at`)).body).toMatchObject({ code: 'unknown_parameter' });
  });

  it('shows the types whose objects the token reads', async () => {
    const { id } = await newCourse(api);
    const { id: student } = await newStudent();
    const { body } = await api.send('POST', `/api/v1/students/${student}/enrollments`, { body: { course_id: id } });
    await changesOf(String(body['id']), 1);
    const { data } = await page('limit=100', 'students:read');
    expect(data.length).toBeGreaterThan(0);
    expect(data.filter(({ type }) => !type.startsWith('enrollment.'))).toEqual([]);
    const token = await api.token('students:read');
    const refused = await api.send('GET', `${PATH}?type=course.created`, { token });
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      403,
      expect.stringContaining('scope="courses:read"'),
    ]);
  });

  it('refuses a token that reads no type with 403 and all sufficient scopes', async () => {
    const { status, body, headers } = await api.send('GET', PATH, { token: await api.token('school:read') });
    expect([status, body['code']]).toEqual([403, 'insufficient_scope']);
    expect(headers['www-authenticate']).toMatch(/scope="courses:read .*students:read .*comments:read .*"/);
  });
});

describe('list_changes', () => {
  const call = (args: object, caller: object) =>
    toolCaller(api).call<Items<Change> & { has_more: boolean; code?: string }>('list_changes', args, caller);

  it('lists the changes of its scopes page by page', async () => {
    const { id } = await newCourse(api);
    await changesOf(id, 1);
    const scopes = ['courses:read'];
    let read = await call({ first: 50 }, { scopes });
    while (read.has_more) read = await call({ first: 50, after: read.next_cursor }, { scopes });
    const text: unknown = expect.any(String);
    expect(read.items.at(-1)).toEqual({ id: text, type: 'course.created', object_id: id, occurred_at: text });
    await Promise.all([api.send('DELETE', `/api/v1/courses/${id}`), changesOf(id, 2)]);
    const { items } = await call({ first: 50, type: 'course.deleted' }, { scopes });
    expect(new Set(items.map(({ type }) => type))).toEqual(new Set(['course.deleted']));
  });

  it('lists what changed since an instant, and goes on after the last change with its cursor', async () => {
    const type = 'course.created';
    const before = await newCourse(api);
    await changesOf(before.id, 1);
    const first = await newCourse(api);
    const [{ created_at: since } = { created_at: '' }] = await changesOf(first.id, 1);
    const read = async (args: object) => {
      const { items, ...page } = await call({ type, since, ...args }, { scopes: ['courses:read'] });
      return { ids: items.map(({ object_id }) => object_id), ...page };
    };
    const { ids, has_more, next_cursor: after } = await read({});
    expect([ids, has_more]).toEqual([expect.arrayContaining([first.id]), false]);
    expect(ids).not.toContain(before.id);
    const later = await newCourse(api);
    await changesOf(later.id, 1);
    expect(await read({ after })).toEqual({ ids: [later.id], has_more: false, next_cursor: expect.any(String) });
    expect(await read({ first: 1 })).toMatchObject({ has_more: true });
    expect(await read({ since: '2999-01-01' })).toMatchObject({ ids: [], has_more: false });
  });

  it('hides the courses of others from a teacher, and refuses callers without a scope or a role', async () => {
    const as = (scope: string, roles: string[]) =>
      call({}, { scopes: [scope], member: { member_id: randomUUID(), roles } });
    expect(await as('courses:read', ['lecturer'])).toMatchObject({ items: [], has_more: false });
    expect(await as('courses:read', ['student'])).toMatchObject({ code: 'forbidden' });
    expect(await as('school:read', ['owner'])).toMatchObject({ code: 'insufficient_scope' });
  });
});

// Last: no service consumes these events, and a republication waits for its consumers.
it('shows the changes of 50 requests at one time to a reader of small pages, each once', async () => {
  const next = (limit: number, at?: string) =>
    page(`type=course.created&limit=${limit}${at === undefined ? '' : `&cursor=${at}`}`);
  let { page: at } = await next(100);
  while (at.has_more) ({ page: at } = await next(100, at.next_cursor));
  const writing = Promise.all(Array.from({ length: 50 }, () => newCourse(api)));
  const seen: string[] = [];
  await eventually(
    async () => {
      const read = await next(3, at.next_cursor);
      seen.push(...read.data.map(({ object_id }) => object_id));
      ({ page: at } = read);
      return seen.length;
    },
    (count) => count >= 50,
  );
  expect(seen.toSorted()).toEqual((await writing).map(({ id }) => id).toSorted());
});
