import { postEvents } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { eventually, send, smtpSink } from '@lyceum/testing';
import type pg from 'pg';
import { UNDO_SECONDS, UnsubscribeLinks } from '#src/mails/unsubscribe-links.js';
import { readMail } from './mail-reader.js';
import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';
import { newReply } from './new-reply.js';
import { untilMember } from './until-member.js';

let api: TestApi;
let database: pg.Client;
let sink: Awaited<ReturnType<typeof smtpSink>>;
let site_id: string;
let person_id: string;

beforeAll(async () => {
  sink = await smtpSink();
  api = await startMemberApi({ MAIL_SMTP_URL: sink.url, MAIL_FROM: 'no-reply@school.example' });
  database = await api.connect();
  const [{ base_url, host, name, slug, org_id }] = api.sites;
  [{ site_id }] = api.sites;
  ({ person_id } = api.student());
  await api.world.site({ site_id, base_url, host, name, slug, org_id, state: 'active' });
  await api.world.person({ person_id });
  await api.world.role({ person_id, site_id });
  await untilMember(database, person_id);
});
afterAll(async () => {
  await api.stop();
  await sink.close();
});

const now = (): string => new Date().toISOString();

/** The link of the mail with the words, once it has arrived. */
async function linkOf(words: string): Promise<string> {
  const mail = await eventually(() => sink.received.find((one) => readMail(one).text.includes(words)));
  const unfolded = mail.source.replaceAll(/\r\n[ \t]+/g, ' ');
  return /^List-Unsubscribe: <([^>]*)>/im.exec(unfolded)?.[1] ?? '';
}

/** Follows a link by one click (RFC 8058). */
async function unsubscribe(link: string, accept = '*/*') {
  const { pathname, search } = new URL(link);
  const headers = { host: api.sites[0].host, accept, 'content-type': 'application/x-www-form-urlencoded' };
  return send(api.service.url, 'POST', `${pathname}${search}`, headers, 'List-Unsubscribe=One-Click');
}

/** Changes the access to a course, and waits for it. */
const access = async (enrollment: Parameters<TestApi['world']['enrollment']>[0], version: number): Promise<void> => {
  await api.world.enrollment(enrollment, { version });
  const text = 'SELECT FROM enrollments WHERE enrollment_id = $1 AND version = $2';
  await eventually(async () => (await database.query(text, [enrollment.enrollment_id, version])).rowCount === 1);
};
/** Publishes news of a course. */
const announce = async (course_id: string, title: string): Promise<void> => {
  const post = { post_id: uuidv7(), site_id, course_id, slug: 'tides', title, excerpt: null, published_at: now() };
  await api.world.entity(postEvents, post.post_id, site_id, { ...post, state: 'published' }, { name: 'published' });
};

it('unsubscribes from a course after the end of access, also for the time after its renewal', async () => {
  const { course_id } = await api.world.course({ site_id });
  const started_at = now();
  const enrollment = await api.world.enrollment({ site_id, person_id, course_id, started_at });
  await access(enrollment, 1);
  await announce(course_id, 'Low tide');
  const ofCourse = await linkOf('Low tide');
  await access({ ...enrollment, expires_at: '2026-04-01T00:00:00.000Z' }, 2);
  expect((await unsubscribe(ofCourse)).status).toBe(200);
  await access(enrollment, 3);
  await announce(course_id, 'High tide');
  await api.until('{ viewer { notifications(first: 1) { nodes { title } } } }', ({ viewer }) =>
    viewer.notifications.nodes[0]?.title.includes('High tide'),
  );
  const text = `SELECT parameters->>'title' AS title FROM outbound_mails WHERE entity_id = $1`;
  expect((await database.query(text, [course_id])).rows).toEqual([{ title: 'Low tide' }]);
});

describe('the undo of an unsubscription from a course', () => {
  const SETTINGS = `{ viewer { notificationSubscriptions(first: 100) { nodes {
    id topic entityId channels { channel enabled } } } } }`;
  const UPDATE = `mutation ($id: ID!, $enabled: Boolean!) { updateNotificationSubscription(input: {
    subscriptionId: $id, channels: [{ channel: EMAIL, enabled: $enabled }] }) { userErrors { code } } }`;
  const setting = async (course_id: string | null): Promise<Data> =>
    (await api.query(SETTINGS)).body.data.viewer.notificationSubscriptions.nodes.find(
      ({ topic, entityId }: Data) => topic === 'COURSE_UPDATE' && entityId === course_id,
    );
  const mailed = async (course_id: string | null): Promise<boolean> =>
    (await setting(course_id)).channels.some(({ channel, enabled }: Data) => channel === 'EMAIL' && enabled);
  const choose = async (course_id: string | null, enabled: boolean): Promise<void> => {
    const { body } = await api.query(UPDATE, { variables: { id: (await setting(course_id)).id, enabled } });
    expect(body.data.updateNotificationSubscription.userErrors).toEqual([]);
  };

  /** A course of the member, whose mails the member ended by a link, and then undid this. */
  async function undone(before: (course_id: string) => Promise<void>): Promise<string> {
    const { course_id } = await api.world.course({ site_id });
    const enrollment = await api.world.enrollment({ site_id, person_id, course_id, started_at: now() });
    await access(enrollment, 1);
    await before(course_id);
    await announce(course_id, `First of ${course_id}`);
    const page = await unsubscribe(await linkOf(`First of ${course_id}`));
    expect(await mailed(course_id)).toBe(false);
    const [, action = ''] = /<form method="post" action="([^"]*)"/.exec(page.text) ?? [];
    await unsubscribe(new URL(action, `${api.sites[0].base_url}/member/unsubscribe`).href);
    expect(await mailed(course_id)).toBe(true);
    return course_id;
  }

  it('follows the topic again, which is turned off later', async () => {
    const course_id = await undone(async () => {});
    await choose(null, false);
    expect(await mailed(course_id)).toBe(false);
    await choose(null, true);
  });

  it('restores the choice for a course while the topic is off', async () => {
    const course_id = await undone(async (course) => {
      await choose(course, true);
      await choose(null, false);
    });
    expect(await mailed(course_id)).toBe(true);
    await choose(null, true);
  });
});

it('unsubscribes a suspended member', async () => {
  const suspended = uuidv7();
  await api.world.person({ person_id: suspended, email: 'sue@example.org' });
  await api.world.role({ person_id: suspended, site_id });
  await untilMember(database, suspended);
  const text = { author_name: 'Niklaus', path: '/courses/knots', excerpt: 'Indeed.' };
  await newReply(api.world, { site_id, to: suspended, ...text });
  const own = await linkOf('Niklaus');
  await api.world.role({ person_id: suspended, site_id, state: 'suspended' }, { version: 2, name: 'suspended' });
  const without = `SELECT FROM memberships WHERE person_id = $1 AND roles = '{}'`;
  await eventually(async () => (await database.query(without, [suspended])).rowCount === 1);
  expect((await unsubscribe(own)).status).toBe(200);
  const stored = 'SELECT topic, email FROM notification_subscriptions WHERE person_id = $1';
  expect((await database.query(stored, [suspended])).rows).toEqual([{ topic: 'comment_reply', email: false }]);
});

describe('a link that does nothing', () => {
  /** Links of the member to a subscription that does not exist. */
  function gone() {
    const site = { site_id, base_url: api.sites[0].base_url };
    const links = new UnsubscribeLinks(api.config.CURSOR_KEY);
    const unsubscription = { person_id, subscription_id: uuidv7() };
    const undo = (secondsAgo: number): string => {
      const token = links.undoToken(site, unsubscription, Date.now() - secondsAgo * 1_000);
      return `${site.base_url}/member/unsubscribe?undo=${token}`;
    };
    return { link: links.write(site, unsubscription), undo };
  }
  const EXPIRED = 'can no longer be undone';

  it.each([
    ['without a subscription', () => gone().link, 'does not exist'],
    ['to undo without a subscription', () => gone().undo(0), 'does not exist'],
    ['to undo after an hour', () => gone().undo(UNDO_SECONDS), EXPIRED],
  ])('shows people a page and programs a problem for one %s', async (_what, link, words) => {
    const page = await unsubscribe(link(), 'text/html,application/xhtml+xml,*/*;q=0.8');
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect([page.text.includes(words), page.text.includes('subscribed to')]).toEqual([true, false]);
    const problem = await unsubscribe(link());
    expect([problem.status, problem.headers['content-type']]).toEqual([404, 'application/problem+json']);
    expect(problem.text).not.toContain('belongs to another site');
  });
});
