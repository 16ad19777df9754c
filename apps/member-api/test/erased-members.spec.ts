import { ERASED_NAME, erasedEmail, notificationSubscriptionEvents } from '@lyceum/contracts';
import type { DomainEvent } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { connectAs, eventually, send } from '@lyceum/testing';
import type pg from 'pg';
import { UnsubscribeLinks } from '#src/mails/unsubscribe-links.js';
import { memberApi } from '#src/member-api.js';
import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';
import { PurchaseWorld } from './purchase-world.js';
import type { Sent } from './world.js';

const QUERY = `{ viewer { unreadNotificationCount notifications(first: 50) { nodes { title } }
  enrolledCourses(first: 50) { nodes { courseId lastWatchedLecture { lectureId } } }
  digitalProducts { nodes { id } } eventRegistrations { nodes { id } }
  consultingServices { nodes { bookings { nodes { joinUrl } } } }
  notificationSubscriptions(first: 50) { nodes { id topic entityId active channels { channel enabled } } } } }`;
const UPDATE = `mutation ($id: ID!) {
  updateNotificationSubscription(input: { subscriptionId: $id, active: true }) { userErrors { code } } }`;
/** Tables that keep a row about a member after the erasure. */
const KEPT = ['memberships', 'member_erasures'];
/** The only table that no event writes. */
const CHOSEN = 'notification_subscriptions';

interface Holder {
  readonly site_id: string;
  readonly person_id: string;
}

let api: TestApi;
let database: pg.Client;
let school: PurchaseWorld;
let member: Holder;
/** Version of the membership. */
let version = 1;
let joined_at = '2026-01-02T03:04:05.000Z';
/** Tables with rows of members. */
let names: readonly string[];
/** Publishes what the member has again. */
let published: ((person_id: string | null, sent: Sent) => Promise<void>)[] = [];

beforeAll(async () => {
  api = await startMemberApi();
  database = await api.connect();
  school = new PurchaseWorld(api.world);
  member = await api.member();
  const { rows } = await database.query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public'
       and column_name in ('site_id', 'person_id') group by 1 having count(*) = 2 order by 1`,
  );
  names = rows.map(({ name }) => name).filter((name) => !KEPT.includes(name));
  expect(names).toContain(CHOSEN);
});
afterAll(() => api.stop());

/** Publishes the membership, and waits until the service has it. */
async function role(given: { roles: 'student'[]; email?: string; name?: string }): Promise<void> {
  version += 1;
  await api.world.role({ ...member, joined_at, ...given }, { version });
  const known = 'select from memberships where site_id = $1 and person_id = $2 and version = $3';
  const values = [member.site_id, member.person_id, version];
  await eventually(async () => (await database.query(known, values)).rowCount === 1);
}

const ERASED = { email: erasedEmail(uuidv7()), name: ERASED_NAME };

/** Publishes the erasure as auth does, and then as the school does. */
async function leave(): Promise<void> {
  await role({ ...ERASED, roles: [] });
  for (const again of published) await again(null, { name: 'linked', version: 2 });
  published = [];
}

async function join(): Promise<void> {
  joined_at = new Date().toISOString();
  await role({ roles: ['student'] });
}

const hoursAhead = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

/** Gives a person an enrollment with progress, and purchases. Returns how to publish them again. */
async function give(holder: Holder) {
  const { site_id } = holder;
  const { course_id } = await api.world.course({ site_id });
  const now = hoursAhead(0);
  const enrollment = await api.world.enrollment({ ...holder, course_id, started_at: now });
  const progress = await api.world.progress({ ...holder, course_id, watched_at: now });
  const { digital_product_id } = await school.product({ site_id });
  const grant = await school.grant({ ...holder, digital_product_id });
  const { consulting_service_id } = await school.service({ site_id });
  const purchase = await school.purchase({ ...holder, consulting_service_id });
  const { purchase_id } = purchase;
  const times = { starts_at: hoursAhead(48), ends_at: hoursAhead(49) };
  const booking = await school.booking({ ...holder, ...times, consulting_service_id, purchase_id });
  const { event_id } = await school.event({ site_id });
  const registration = await school.registration({ ...holder, event_id });
  const subscription = await school.subscription({ ...holder, state_since: now });
  const again = async (person_id: string | null, sent: Sent): Promise<void> => {
    await api.world.enrollment({ ...enrollment, person_id }, sent);
    await api.world.progress({ ...progress, person_id }, sent);
    await school.grant({ ...grant, person_id }, sent);
    await school.purchase({ ...purchase, person_id }, sent);
    await school.booking({ ...booking, person_id }, sent);
    await school.registration({ ...registration, person_id }, sent);
    await school.subscription({ ...subscription, person_id }, sent);
  };
  return { course_id, again };
}

/** Names of the tables with rows of the person at the site. */
async function tables({ site_id, person_id }: Holder = member): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    const text = `select from ${name} where site_id = $1 and person_id = $2 limit 1`;
    if ((await database.query(text, [site_id, person_id])).rowCount === 1) found.push(name);
  }
  return found;
}

/** Gives a person something, and waits until each consumer has applied it, and all events before. */
async function giveAll(holder: Holder) {
  const given = await give(holder);
  await eventually(
    () => tables(holder),
    (found) => found.length >= names.length - 1,
  );
  return given;
}

/** Enrolls the member in a course. The school ends the enrollment when the member leaves. */
async function enroll(course_id: string): Promise<void> {
  const enrollment = await api.world.enrollment({ ...member, course_id, started_at: hoursAhead(0) });
  published.push(async (person_id, sent) => void (await api.world.enrollment({ ...enrollment, person_id }, sent)));
}

/** Returns the view of the member after an enrollment in the course, which is the last of all events. */
async function viewIn(course_id: string): Promise<Data> {
  await giveAll({ ...member, person_id: uuidv7() });
  await enroll(course_id);
  const isOf = ({ courseId }: Data): boolean => courseId === course_id;
  return (await api.until(QUERY, ({ viewer }) => viewer?.enrolledCourses.nodes.some(isOf))).viewer;
}

async function newCourse(): Promise<string> {
  return (await api.world.course({ site_id: member.site_id })).course_id;
}

/** The topic that is off by default. */
const marketing = ({ notificationSubscriptions }: Data): Data =>
  notificationSubscriptions.nodes.find(({ topic }: Data) => topic === 'MARKETING');

/** The view of a new member with one enrollment. */
function expectOnly(view: Data, course_id: string): void {
  expect(view).toMatchObject({
    unreadNotificationCount: 1,
    enrolledCourses: { nodes: [{ courseId: course_id, lastWatchedLecture: null }] },
    digitalProducts: { nodes: [] },
    eventRegistrations: { nodes: [] },
    consultingServices: { nodes: [] },
  });
  expect(view.notifications.nodes).toHaveLength(1);
  expect(marketing(view).active).toBe(false);
}

it('gives a member who left and returns an empty account, and keeps the rows of others', async () => {
  const others = [
    { ...member, person_id: uuidv7() },
    { ...member, site_id: api.sites[1].site_id },
  ];
  for (const other of others) await giveAll(other);
  published.push((await giveAll(member)).again);
  const { viewer } = await api.until(QUERY, (data) => data.viewer?.consultingServices.nodes[0]?.bookings.nodes[0]);
  expect(viewer.consultingServices.nodes[0].bookings.nodes[0].joinUrl).toMatch(/^https:/);
  const { body } = await api.query(UPDATE, { variables: { id: marketing(viewer).id } });
  expect(body.data?.updateNotificationSubscription).toEqual({ userErrors: [] });
  expect(await tables()).toEqual(names);

  await leave();
  await eventually(
    () => tables(),
    (found) => found.length === 0,
  );
  await join();
  const course_id = await newCourse();
  expectOnly(await viewIn(course_id), course_id);
  const kept = names.filter((name) => name !== CHOSEN);
  for (const other of others) expect(await tables(other)).toEqual(kept);
});

it('keeps away events from before the erasure that arrive after it, also in a rebuild', async () => {
  await leave();
  const { rows } = await database.query<{ erased_at: Date }>(
    'select erased_at from member_erasures where site_id = $1 and person_id = $2',
    [member.site_id, member.person_id],
  );
  await join();
  const { course_id, again } = await giveAll({ ...member, person_id: uuidv7() });
  const occurred_at = rows[0]?.erased_at.toISOString() ?? '';
  await again(member.person_id, { version: 3, occurred_at });
  const view = await viewIn(course_id);
  expectOnly(view, course_id);
  const before = await tables();
  await memberApi.commands?.['rebuild']?.run(api.config, ['all']);
  expect(await tables()).toEqual(before);
  expect((await api.query(QUERY)).body.data?.viewer).toEqual(view);
});

it('notifies no member who left of an enrollment from before the school follows', async () => {
  await leave();
  await enroll(await newCourse());
  await giveAll({ ...member, person_id: uuidv7() });
  expect(await tables()).toEqual(['enrollments']);
});

it('stores nothing by the unsubscribe link of a member who left', async () => {
  await join();
  const connection = await connectAs(api.nats.environment('admin'));
  const published: string[] = [];
  connection.subscribe(notificationSubscriptionEvents.filter, {
    callback: (_error, message) => void published.push(message.json<DomainEvent>().aggregate_id),
  });
  await connection.flush();
  const replies = ({ notificationSubscriptions }: Data): Data =>
    notificationSubscriptions.nodes.find(({ topic }: Data) => topic === 'COMMENT_REPLY');
  const { viewer } = (await api.query(QUERY)).body.data;
  const uuidOf = ({ id }: Data): string => String(id).replace(/^nsb_/, '');
  const links = new UnsubscribeLinks(api.config.CURSOR_KEY);
  const link = links.write(api.sites[0], { person_id: member.person_id, subscription_id: uuidOf(replies(viewer)) });
  await leave();
  const { pathname, search } = new URL(link);
  const headers = { host: api.sites[0].host, 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await send(api.service.url, 'POST', pathname + search, headers, 'List-Unsubscribe=One-Click');
  expect(answer.status).toBe(200);
  expect(await tables()).not.toContain(CHOSEN);
  await join();
  const view = await viewIn(await newCourse());
  expect(replies(view).channels).toContainEqual({ channel: 'EMAIL', enabled: true });
  // The event of a change comes after all events before it.
  const last = marketing(view);
  await api.query(UPDATE, { variables: { id: last.id } });
  await eventually(() => published.includes(uuidOf(last)));
  expect(published).not.toContain(uuidOf(replies(viewer)));
  await connection.close();
});

it('keeps what a returned member has when the erasing event comes again', async () => {
  await leave();
  await join();
  const course_id = await newCourse();
  const view = await viewIn(course_id);
  const late = { version: version - 1, occurred_at: '2026-01-01T00:00:00.000Z' };
  await api.world.role({ ...member, ...ERASED, joined_at, roles: [] }, late);
  await role({ roles: ['student'] });
  expect((await api.query(QUERY)).body.data?.viewer).toEqual(view);
});

describe('an event of an enrollment without a person', () => {
  /** Whether the member has an enrollment of version 2 after a revocation that names no person. */
  async function hasAfter(revoked: number): Promise<boolean> {
    const course_id = await newCourse();
    const enrollment = await api.world.enrollment({ ...member, course_id }, { version: 2 });
    const isOf = ({ courseId }: Data): boolean => courseId === course_id;
    await api.until(QUERY, ({ viewer }) => viewer?.enrolledCourses.nodes.some(isOf));
    const sent = { name: 'revoked', version: revoked };
    await api.world.enrollment({ ...enrollment, person_id: null, state: 'revoked' }, sent);
    return (await viewIn(await newCourse())).enrolledCourses.nodes.some(isOf);
  }

  it.each([2, 3])('ends an enrollment of version 2 by version %i', async (revoked) => {
    expect(await hasAfter(revoked)).toBe(false);
  });

  it('keeps an enrollment of a later version', async () => {
    expect(await hasAfter(1)).toBe(true);
  });

  it.each([
    ['of the same enrollment', 1],
    ['without a row before', undefined],
  ])('keeps away an earlier state %s that arrives later, also in a rebuild', async (_which, first) => {
    const course_id = await newCourse();
    const isOf = ({ courseId }: Data): boolean => courseId === course_id;
    const has = async () => (await viewIn(await newCourse())).enrolledCourses.nodes.some(isOf);
    const known = { ...member, course_id, enrollment_id: uuidv7() };
    if (first !== undefined) await api.world.enrollment(known, { version: first });
    if (first !== undefined) expect(await has()).toBe(true);
    await api.world.enrollment({ ...known, person_id: null }, { name: 'linked', version: 3 });
    await api.world.enrollment(known, { version: 2 });
    expect(await has()).toBe(false);
    await memberApi.commands?.['rebuild']?.run(api.config, ['enrolled-courses']);
    expect(await has()).toBe(false);
    await api.world.enrollment(known, { name: 'linked', version: 4 });
    expect(await has()).toBe(true);
  });
});
