import { uuidv7 } from '@lyceum/platform';
import type pg from 'pg';
import { startMemberApi } from './member-api.js';
import type { Data, Person, TestApi } from './member-api.js';

const INBOX = '{ viewer { unreadNotificationCount notifications(first: 100) { nodes { id isRead readAt } } } }';
const MARK = `mutation ($id: ID!, $mark: String) { markNotificationRead(input: { notificationId: $id, clientMutationId: $mark }) {
  notification { id isRead readAt } unreadNotificationCount userErrors { field message code } clientMutationId
} }`;
const NOT_FOUND = [{ field: ['notificationId'], message: 'The notification does not exist', code: 'NOT_FOUND' }];

let api: TestApi;
let database: pg.Client;

beforeAll(async () => {
  api = await startMemberApi();
  database = await api.connect();
  for (const [site, which] of [
    [api.sites[0], 'own'],
    [api.sites[0], 'both'],
    [api.sites[1], 'both'],
  ] as const) {
    const { person_id } = api.student(site, which);
    await api.world.person({ person_id });
    await api.world.role({ person_id, site_id: site.site_id });
    for (let n = 0; n < 5; n += 1) {
      const { course_id } = await api.world.course({ site_id: site.site_id });
      await api.world.enrollment({ site_id: site.site_id, person_id, course_id });
    }
    const token = await api.token({ site, person: api.student(site, which) });
    await api.until(INBOX, ({ viewer }) => viewer?.unreadNotificationCount === 5, { site, token });
  }
});
afterAll(() => api.stop());

const callerOf = async (person: Person, site = api.sites[0]) => ({ site, token: await api.token({ site, person }) });
const inbox = async (person: Person, site = api.sites[0]): Promise<Data> =>
  (await api.query(INBOX, await callerOf(person, site))).body.data.viewer;
const mark = async (id: string, person: Person, more: Record<string, unknown> = {}) =>
  (await api.query(MARK, { ...(await callerOf(person)), variables: { id, ...more } })).body;

describe('markNotificationRead', () => {
  it('marks a notification, updates the count, and returns clientMutationId', async () => {
    const person = api.student();
    const { nodes } = (await inbox(person)).notifications;
    const body = await mark(nodes[1].id, person, { mark: 'mine ✓' });
    expect(body.errors).toBeUndefined();
    expect(body.data.markNotificationRead).toEqual({
      notification: { id: nodes[1].id, isRead: true, readAt: expect.stringMatching(/^\d{4}-.*Z$/) },
      unreadNotificationCount: 4,
      userErrors: [],
      clientMutationId: 'mine ✓',
    });
    const now = await inbox(person);
    expect(now.unreadNotificationCount).toBe(4);
    expect(now.notifications.nodes.map(({ isRead }: Data) => isRead)).toEqual([false, true, false, false, false]);
  });

  it('keeps the first readAt when it is marked again', async () => {
    const person = api.student();
    const { id } = (await inbox(person)).notifications.nodes[2];
    const first = await mark(id, person);
    const again = await mark(id, person);
    expect(again.data).toEqual(first.data);
  });

  it('returns the same error for a notification of another person or site, an unknown id and a malformed id', async () => {
    const own = await inbox(api.student());
    const elsewhere = await inbox(api.student(api.sites[1], 'both'), api.sites[1]);
    const caller = api.student(api.sites[0], 'both');
    const before = await inbox(caller);
    const ids = [
      own.notifications.nodes[0].id,
      elsewhere.notifications.nodes[0].id,
      `ntf_${uuidv7()}`,
      uuidv7(),
      'x',
      '',
      "'; --",
    ];
    for (const id of ids) {
      expect((await mark(id, caller)).data.markNotificationRead).toEqual({
        notification: null,
        unreadNotificationCount: 5,
        userErrors: NOT_FOUND,
        clientMutationId: null,
      });
    }
    await expect(inbox(caller)).resolves.toEqual(before);
    await expect(inbox(api.student())).resolves.toEqual(own);
    await expect(inbox(api.student(api.sites[1], 'both'), api.sites[1])).resolves.toEqual(elsewhere);
  });

  it('runs aliased mutations in order', async () => {
    const person = api.student(api.sites[0], 'both');
    const [one, two] = (await inbox(person)).notifications.nodes;
    const field = (key: string, id: string) =>
      `${key}: markNotificationRead(input: { notificationId: "${id}" }) { n: notification { key: id ...R } left: unreadNotificationCount }`;
    const query = `mutation { ${field('a', one.id)} ${field('b', two.id)} __typename } fragment R on Notification { done: isRead }`;
    const { text } = await api.query(query, await callerOf(person));
    expect(JSON.stringify(JSON.parse(text).data)).toBe(
      `{"a":{"n":{"key":"${one.id}","done":true},"left":4},"b":{"n":{"key":"${two.id}","done":true},"left":3},"__typename":"Mutation"}`,
    );
  });
});

describe('the count of unread notifications', () => {
  it('keeps the unread count exact under concurrent writes and reads', async () => {
    const person = api.student(api.sites[1], 'both');
    const [, site] = api.sites;
    const token = await api.token({ site, person });
    const { nodes } = (await inbox(person, site)).notifications;
    const read = nodes.flatMap(({ id }: Data) =>
      [1, 2, 3, 4].map(() => api.query(MARK, { site, token, variables: { id } })),
    );
    const made = Array.from({ length: 25 }, async () => {
      const { course_id } = await api.world.course({ site_id: site.site_id });
      await api.world.enrollment({ site_id: site.site_id, person_id: person.person_id, course_id });
    });
    const responses = await Promise.all([...read, ...made]);
    expect(responses.filter((response) => response?.body.errors !== undefined)).toEqual([]);
    const data = await api.until(INBOX, ({ viewer }) => viewer.notifications.nodes.length === 30, { site, token });
    expect(data.viewer.unreadNotificationCount).toBe(25);
    const { rows } = await database.query(
      `SELECT i.unread, (SELECT count(*)::int FROM notifications n WHERE n.site_id = i.site_id AND n.person_id = i.person_id AND read_at IS NULL) AS counted
       FROM inbox_counts i`,
    );
    expect(rows.length).toBeGreaterThan(2);
    for (const { unread, counted } of rows as { unread: number; counted: number }[]) expect(unread).toBe(counted);
  });

  it('reads one row for the unread count of any inbox', async () => {
    const person = api.student();
    await database.query(
      `INSERT INTO notifications (site_id, person_id, occasion, kind, parameters, created_at)
       SELECT $1, $2, 'many-' || n, 'course_enrolled', '{"course":"Many"}', now() FROM generate_series(1, 20000) n`,
      [api.sites[0].site_id, person.person_id],
    );
    const plan = await database.query<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>(
      `EXPLAIN (FORMAT JSON) SELECT unread FROM inbox_counts WHERE site_id = '${api.sites[0].site_id}' AND person_id = '${person.person_id}'`,
    );
    expect(plan.rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows']).toBe(1);
    expect((await inbox(person)).unreadNotificationCount).toBe(3);
  });

  it('returns viewer in the payload, and finds the notification by node beside a failing part', async () => {
    const person = api.student();
    const { id } = (await inbox(person)).notifications.nodes[0];
    const token = await api.token({ person });
    const marked = await api.query(
      `mutation ($id: ID!) { markNotificationRead(input: { notificationId: $id }) {
        viewer { id read: notifications(isRead: true) { nodes { id } } notification(id: $id) { isRead } } } }`,
      { token, variables: { id } },
    );
    expect(marked.body.errors).toBeUndefined();
    const { viewer } = marked.body.data.markNotificationRead;
    expect(viewer).toMatchObject({ id: person.member_id, notification: { isRead: true } });
    expect(viewer.read.nodes).toContainEqual({ id });
    const { body } = await api.query(
      `query ($id: ID!) { node(id: $id) { __typename id ... on Notification { title } }
        viewer { notifications(first: 0) { nodes { id } } } }`,
      { token, variables: { id } },
    );
    expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(['FIRST_OUT_OF_RANGE']);
    const title = expect.stringMatching(/^You are enrolled in /);
    expect(body.data).toEqual({ node: { __typename: 'Notification', id, title }, viewer: { notifications: null } });
  });
});

it('writes notifications in the language of the member, otherwise of the site', async () => {
  const [, site] = api.sites;
  const person = api.student(site, 'own');
  const { site_id, base_url, host } = site;
  const caller = { site, token: await api.token({ site, person }) };
  const query = '{ viewer { locale notifications(first: 1) { nodes { title } } } }';
  let version = 1;
  /** The newest title for a member with the language, once it begins with the words. */
  const title = async (locale: string | null, words: string): Promise<string> => {
    await api.world.role({ person_id: person.person_id, site_id, locale }, { version: (version += 1) });
    const isShown = ({ viewer }: Data): boolean =>
      viewer?.locale === locale && viewer.notifications.nodes[0]?.title.startsWith(words);
    const { viewer } = await api.until(query, isShown, caller);
    return viewer.notifications.nodes[0].title;
  };
  await api.world.person({ person_id: person.person_id, locale: null });
  await api.world.role({ person_id: person.person_id, site_id, locale: null });
  const { course_id } = await api.world.course({ site_id, name: 'Knots' });
  await api.world.enrollment({ site_id, person_id: person.person_id, course_id });
  expect(await title(null, 'You')).toBe('You are enrolled in Knots');
  await api.world.site({
    site_id,
    base_url,
    host,
    name: 'Site',
    slug: 'site',
    org_id: 'org',
    state: 'active',
    locale: 'zh-TW',
  });
  expect(await title(null, '你')).toBe('你已加入課程「Knots」');
  expect(await title('en', 'You')).toBe('You are enrolled in Knots');
  expect(await title('pt-BR', '你')).toBe('你已加入課程「Knots」');
});
