import { notificationSubscriptionEvents } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { connectAs } from '@lyceum/testing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { startMemberApi } from './member-api.js';
import type { Data, Person, TestApi } from './member-api.js';

const FIELDS = 'id topic entityType entityId active canChange updatedAt channels { channel enabled }';
const MANDATORY = ['ACCESS', 'MEMBERSHIP', 'EVENT_CHANGE', 'CONSULTING_CHANGE'];
const LIST = `{ viewer { notificationSubscriptions(first: 100) { totalCount nodes { ${FIELDS} } } } }`;
const UPDATE = `mutation ($input: UpdateNotificationSubscriptionInput!) { updateNotificationSubscription(input: $input) {
  subscription { ${FIELDS} } userErrors { field code } clientMutationId
} }`;

let api: TestApi;
let course_id: string;

beforeAll(async () => {
  api = await startMemberApi();
  for (const [at, which] of [
    [0, 'own'],
    [0, 'both'],
    [1, 'both'],
  ] as const) {
    const { site_id } = api.sites[at];
    const { person_id } = api.student(api.sites[at], which);
    await api.world.person({ person_id });
    await api.world.role({ person_id, site_id });
    const course = await api.world.course({ site_id });
    await api.world.enrollment({ site_id, person_id, course_id: course.course_id });
    if (which === 'own') ({ course_id } = course);
    const caller = await as(api.student(api.sites[at], which), at);
    await api.until(LIST, ({ viewer }) => viewer?.notificationSubscriptions.totalCount === 13, caller);
  }
});
afterAll(() => api.stop());

const as = async (person: Person = api.student(), at: 0 | 1 = 0) => ({
  site: api.sites[at],
  token: await api.token({ site: api.sites[at], person }),
});
const list = async (person?: Person, at?: 0 | 1): Promise<Data[]> =>
  (await api.query(LIST, await as(person, at))).body.data.viewer.notificationSubscriptions.nodes;
const update = async (input: object, person?: Person) =>
  (await api.query(UPDATE, { ...(await as(person)), variables: { input } })).body;
const of = (nodes: Data[], topic: string, entity: string | null = null): Data =>
  nodes.find((one) => one.topic === topic && one.entityId === entity);

describe('viewer.notificationSubscriptions', () => {
  it('lists every topic, and the topics of courses for each enrolled course', async () => {
    const nodes = await list();
    const listed = nodes.map(({ topic, entityType }) => [topic, entityType]);
    const courses = listed.splice(11).toSorted(([a], [b]) => String(a).localeCompare(String(b)));
    expect([...listed, ...courses]).toEqual([
      ...[...MANDATORY, 'ANNOUNCEMENT', 'COURSE_UPDATE', 'NEW_LECTURE'].map((topic) => [topic, null]),
      ...['COMMENT_REPLY', 'EVENT_REMINDER', 'CONSULTING_REMINDER', 'MARKETING'].map((topic) => [topic, null]),
      ...['COURSE_UPDATE', 'NEW_LECTURE'].map((topic) => [topic, 'COURSE']),
    ]);
    expect(nodes.filter(({ canChange }) => !canChange).map(({ topic }) => topic)).toEqual(MANDATORY);
    expect(nodes.filter(({ active }) => !active).map(({ topic }) => topic)).toEqual(['MARKETING']);
    expect(of(nodes, 'NEW_LECTURE').channels).toEqual([
      { channel: 'IN_APP', enabled: true },
      { channel: 'EMAIL', enabled: false },
    ]);
  });

  it('returns subscriptions in pages', async () => {
    const page = (after: string) =>
      `{ viewer { notificationSubscriptions(first: 8${after}) { nodes { id } pageInfo { hasNextPage endCursor } } } }`;
    const first = (await api.query(page(''), await as())).body.data.viewer.notificationSubscriptions;
    const more = await api.query(page(`, after: "${first.pageInfo.endCursor}"`), await as());
    const second = more.body.data.viewer.notificationSubscriptions;
    expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
    expect([...first.nodes, ...second.nodes].map(({ id }: Data) => id)).toEqual((await list()).map(({ id }) => id));
  });

  it.each([
    [0, 'FIRST_OUT_OF_RANGE'],
    [1, undefined],
    [100, undefined],
    [101, 'FIRST_OUT_OF_RANGE'],
  ])('returns for a page size of %i the error %p', async (first, code) => {
    const { body } = await api.query(
      `{ viewer { notificationSubscriptions(first: ${first}) { nodes { id } } } }`,
      await as(),
    );
    expect(body.errors?.[0]?.extensions.code).toBe(code);
  });
});

describe('updateNotificationSubscription', () => {
  it('changes only the given settings, idempotently', async () => {
    const { id } = of(await list(), 'ANNOUNCEMENT');
    const input = { subscriptionId: id, channels: [{ channel: 'EMAIL', enabled: false }], clientMutationId: 'mine' };
    const first = await update(input);
    expect(first.errors).toBeUndefined();
    const { subscription, ...rest } = first.data.updateNotificationSubscription;
    expect(rest).toEqual({ userErrors: [], clientMutationId: 'mine' });
    expect([subscription.active, subscription.channels.map(({ enabled }: Data) => enabled)]).toEqual([
      true,
      [true, false],
    ]);
    expect((await update(input)).data).toEqual(first.data);
    expect(of(await list(), 'ANNOUNCEMENT')).toEqual(subscription);
    const off = (await update({ subscriptionId: id, active: false })).data.updateNotificationSubscription.subscription;
    expect([off.active, off.channels]).toEqual([false, subscription.channels]);
  });

  it('applies the setting of a course before the topic, and the topic before the default', async () => {
    const nodes = await list();
    await update({ subscriptionId: of(nodes, 'NEW_LECTURE').id, active: false });
    expect(of(await list(), 'NEW_LECTURE', course_id)).toMatchObject({ active: false, updatedAt: null });
    await update({ subscriptionId: of(nodes, 'NEW_LECTURE', course_id).id, active: true });
    expect(of(await list(), 'NEW_LECTURE', course_id).active).toBe(true);
    expect(of(await list(), 'NEW_LECTURE').active).toBe(false);
  });

  it('turns a topic off for courses that the member has not turned on', async () => {
    const nodes = await list();
    const [topic, course] = [of(nodes, 'COURSE_UPDATE').id, of(nodes, 'COURSE_UPDATE', course_id).id];
    const ofCourse = async (): Promise<unknown> => {
      const { active, channels } = of(await list(), 'COURSE_UPDATE', course_id);
      return [active, ...channels.map(({ enabled }: Data) => enabled)];
    };
    await update({ subscriptionId: course, channels: [{ channel: 'EMAIL', enabled: false }] });
    expect(await ofCourse()).toEqual([true, true, false]);
    await update({ subscriptionId: topic, active: false, channels: [{ channel: 'IN_APP', enabled: false }] });
    expect(await ofCourse()).toEqual([false, false, false]);
    const changed = await update({ subscriptionId: course, active: true });
    expect(changed.data.updateNotificationSubscription.subscription.active).toBe(true);
    expect(await ofCourse()).toEqual([true, false, false]);
    await update({ subscriptionId: topic, active: true, channels: [{ channel: 'IN_APP', enabled: true }] });
    await update({ subscriptionId: topic, active: false });
    expect(await ofCourse()).toEqual([true, true, false]);
  });

  it('keeps the choice for a course that was on by its topic', async () => {
    const { id } = of(await list(), 'COMMENT_REPLY');
    const database = await api.connect();
    const stored = async (): Promise<unknown> =>
      (
        await database.query('select version, active from notification_subscriptions where topic = $1', [
          'comment_reply',
        ])
      ).rows;
    await update({ subscriptionId: id });
    expect(await stored()).toEqual([]);
    for (const _ of [1, 2]) await update({ subscriptionId: id, active: true });
    expect(await stored()).toEqual([{ version: 1, active: true }]);
    const person = api.student(api.sites[0], 'both');
    const nodes = await list(person);
    const course = nodes.find(({ topic, entityId }) => topic === 'COURSE_UPDATE' && entityId !== null);
    await update({ subscriptionId: course?.['id'], active: true }, person);
    await update({ subscriptionId: of(nodes, 'COURSE_UPDATE').id, active: false }, person);
    expect(of(await list(person), 'COURSE_UPDATE', course?.['entityId']).active).toBe(true);
  });

  it('keeps the choices in a row of v0.1.0, which inherits nothing', async () => {
    const nodes = await list();
    const { person_id } = api.student();
    const database = await api.connect();
    const { site_id } = api.sites[0];
    const text = `delete from notification_subscriptions where person_id = $1 and topic = 'course_update'`;
    await database.query(text, [person_id]);
    await database.query(
      `insert into notification_subscriptions
         (site_id, person_id, topic, entity_id, version, active, in_app, email, updated_at)
       values ($1, $2, 'course_update', $3, 1, true, true, false, now())`,
      [site_id, person_id, course_id],
    );
    await update({ subscriptionId: of(nodes, 'COURSE_UPDATE').id, active: false });
    expect(of(await list(), 'COURSE_UPDATE', course_id).active).toBe(true);
  });

  it('rejects changes of mandatory topics and repeated channels', async () => {
    const nodes = await list();
    for (const topic of MANDATORY) {
      const { data } = await update({ subscriptionId: of(nodes, topic).id, active: false });
      expect(data.updateNotificationSubscription).toEqual({
        subscription: null,
        userErrors: [{ field: ['subscriptionId'], code: 'NOT_CHANGEABLE' }],
        clientMutationId: null,
      });
    }
    const twice = [true, false].map((enabled) => ({ channel: 'EMAIL', enabled }));
    const { data } = await update({ subscriptionId: of(nodes, 'MARKETING').id, channels: twice });
    expect(data.updateNotificationSubscription.userErrors).toEqual([{ field: ['channels'], code: 'REPEATED' }]);
    expect(of(await list(), 'MARKETING')).toEqual(of(nodes, 'MARKETING'));
  });

  it('returns the same error for a subscription of another person or site, an unknown id and a malformed id', async () => {
    const caller = api.student(api.sites[0], 'both');
    const others = [
      of(await list(), 'MARKETING').id,
      of(await list(api.student(api.sites[1], 'both'), 1), 'MARKETING').id,
    ];
    for (const id of [...others, `nsb_${uuidv7()}`, uuidv7(), 'x', '', "'; --"]) {
      const { data } = await update({ subscriptionId: id, active: true }, caller);
      expect(data.updateNotificationSubscription).toEqual({
        subscription: null,
        userErrors: [{ field: ['subscriptionId'], code: 'NOT_FOUND' }],
        clientMutationId: null,
      });
    }
    expect(of(await list(), 'MARKETING').active).toBe(false);
  });

  it('publishes an event for each change, in order, and none without a change', async () => {
    const { id } = of(await list(), 'EVENT_REMINDER');
    for (const active of [false, false, true]) await update({ subscriptionId: id, active });
    await Promise.all([1, 2, 3, 4].map(() => update({ subscriptionId: id, active: false })));
    const connection = await connectAs(api.nats.environment('admin'));
    const manager = await jetstreamManager(connection);
    const subject = notificationSubscriptionEvents.filter;
    await manager.consumers.add('LEARNER', { durable_name: 'test', filter_subject: subject });
    const consumer = await jetstream(connection).consumers.get('LEARNER', 'test');
    const received: unknown[] = [];
    const actors: unknown[] = [];
    while (received.length < 3) {
      const message = await consumer.next({ expires: 10_000 });
      if (message === null) throw new Error('The event was not published');
      const { aggregate_id, aggregate_version, actor, data } = message.json<Data>();
      actors.push(actor);
      if (`nsb_${aggregate_id}` === id)
        received.push([aggregate_version, notificationSubscriptionEvents.data.parse(data).active]);
    }
    expect(actors).toContainEqual({
      member_id: expect.any(String),
      client_id: expect.any(String),
      via: 'graphql',
      request_id: expect.any(String),
    });
    const rest = await consumer.next({ expires: 1_000 });
    await connection.close();
    expect([received, rest]).toEqual([
      [
        [1, false],
        [2, true],
        [3, false],
      ],
      null,
    ]);
  });
});
