import { notificationSubscriptionEvents } from '@lyceum/contracts';
import type { DomainEvent } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { connectAs, eventually, send } from '@lyceum/testing';
import { UnsubscribeLinks } from '#src/mails/unsubscribe-links.js';
import { memberApi } from '#src/member-api.js';
import { LeavingMember } from './leaving-member.js';
import type { Data, TestApi } from './member-api.js';

const QUERY = `{ viewer { unreadNotificationCount notifications(first: 50) { nodes { title } }
  enrolledCourses(first: 50) { nodes { courseId lastWatchedLecture { lectureId } } }
  digitalProducts { nodes { id } } eventRegistrations { nodes { id } }
  consultingServices { nodes { bookings { nodes { joinUrl } } } }
  notificationSubscriptions(first: 50) { nodes { id topic entityId active channels { channel enabled } } } } }`;
const UPDATE = `mutation ($id: ID!) {
  updateNotificationSubscription(input: { subscriptionId: $id, active: true }) { userErrors { code } } }`;
/** The only table that no event writes. */
const CHOSEN = 'notification_subscriptions';

let leaver: LeavingMember;
let api: TestApi;
let member: LeavingMember['holder'];

beforeAll(async () => {
  leaver = await LeavingMember.start();
  ({ api, holder: member } = leaver);
  expect(leaver.names).toContain(CHOSEN);
});
afterAll(() => api.stop());

/** Returns the view of the member after an enrollment in the course, which is the last of all events. */
async function viewIn(course_id: string): Promise<Data> {
  await leaver.settle();
  await leaver.enroll(course_id);
  const isOf = ({ courseId }: Data): boolean => courseId === course_id;
  return (await api.until(QUERY, ({ viewer }) => viewer?.enrolledCourses.nodes.some(isOf))).viewer;
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
  for (const other of others) await leaver.giveAll(other);
  await leaver.giveOwn();
  const { viewer } = await api.until(QUERY, (data) => data.viewer?.consultingServices.nodes[0]?.bookings.nodes[0]);
  expect(viewer.consultingServices.nodes[0].bookings.nodes[0].joinUrl).toMatch(/^https:/);
  const { body } = await api.query(UPDATE, { variables: { id: marketing(viewer).id } });
  expect(body.data?.updateNotificationSubscription).toEqual({ userErrors: [] });
  expect(await leaver.tables()).toEqual(leaver.names);

  await leaver.leave();
  await eventually(
    () => leaver.tables(),
    (found) => found.length === 0,
  );
  await leaver.join();
  const course_id = await leaver.newCourse();
  expectOnly(await viewIn(course_id), course_id);
  const kept = leaver.names.filter((name) => name !== CHOSEN);
  for (const other of others) expect(await leaver.tables(other)).toEqual(kept);
});

it('keeps away events from before the erasure that arrive after it, also in a rebuild', async () => {
  await leaver.leave();
  const { rows } = await leaver.database.query<{ erased_at: Date }>(
    'select erased_at from member_erasures where site_id = $1 and person_id = $2',
    [member.site_id, member.person_id],
  );
  await leaver.join();
  const { course_id, again } = await leaver.giveAll({ ...member, person_id: uuidv7() });
  const occurred_at = rows[0]?.erased_at.toISOString() ?? '';
  await again(member.person_id, { version: 3, occurred_at });
  const view = await viewIn(course_id);
  expectOnly(view, course_id);
  const before = await leaver.tables();
  await memberApi.commands?.['rebuild']?.run(api.config, ['all']);
  expect(await leaver.tables()).toEqual(before);
  expect((await api.query(QUERY)).body.data?.viewer).toEqual(view);
});

it('notifies no member who left of an enrollment from before the school follows', async () => {
  await leaver.leave();
  await leaver.enroll(await leaver.newCourse());
  await leaver.settle();
  expect(await leaver.tables()).toEqual(['enrollments']);
});

it('stores nothing by the unsubscribe link of a member who left', async () => {
  await leaver.join();
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
  await leaver.leave();
  const { pathname, search } = new URL(link);
  const headers = { host: api.sites[0].host, 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await send(api.service.url, 'POST', pathname + search, headers, 'List-Unsubscribe=One-Click');
  expect(answer.status).toBe(200);
  expect(await leaver.tables()).not.toContain(CHOSEN);
  await leaver.join();
  const view = await viewIn(await leaver.newCourse());
  expect(replies(view).channels).toContainEqual({ channel: 'EMAIL', enabled: true });
  // The event of a change comes after all events before it.
  const last = marketing(view);
  await api.query(UPDATE, { variables: { id: last.id } });
  await eventually(() => published.includes(uuidOf(last)));
  expect(published).not.toContain(uuidOf(replies(viewer)));
  await connection.close();
});

it('keeps what a returned member has when the erasing event comes again', async () => {
  await leaver.leave();
  await leaver.join();
  const course_id = await leaver.newCourse();
  const view = await viewIn(course_id);
  await leaver.repeatErasure();
  expect((await api.query(QUERY)).body.data?.viewer).toEqual(view);
});

describe('an event of an enrollment without a person', () => {
  /** Whether the member has an enrollment of version 2 after a revocation that names no person. */
  async function hasAfter(revoked: number): Promise<boolean> {
    const course_id = await leaver.newCourse();
    const enrollment = await api.world.enrollment({ ...member, course_id }, { version: 2 });
    const isOf = ({ courseId }: Data): boolean => courseId === course_id;
    await api.until(QUERY, ({ viewer }) => viewer?.enrolledCourses.nodes.some(isOf));
    const sent = { name: 'revoked', version: revoked };
    await api.world.enrollment({ ...enrollment, person_id: null, state: 'revoked' }, sent);
    return (await viewIn(await leaver.newCourse())).enrolledCourses.nodes.some(isOf);
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
    const course_id = await leaver.newCourse();
    const isOf = ({ courseId }: Data): boolean => courseId === course_id;
    const has = async () => (await viewIn(await leaver.newCourse())).enrolledCourses.nodes.some(isOf);
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
