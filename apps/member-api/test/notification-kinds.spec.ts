import { eventually, smtpSink } from '@lyceum/testing';
import pg from 'pg';
import { TOPICS } from '#src/notification-subscriptions/topics.policy.js';
import { KINDS, topicOf } from '#src/notifications/kinds.policy.js';
import type { Kind } from '#src/notifications/kinds.policy.js';
import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';
import { readMail } from './mail-reader.js';
import { NotificationCases } from './notification-cases.js';

const ALL = Object.keys(KINDS) as Kind[];
const LIST = '{ viewer { notificationSubscriptions(first: 100) { nodes { id topic entityId } } } }';
const SUBSCRIBE = `mutation ($id: ID!) { updateNotificationSubscription(
  input: { subscriptionId: $id, active: true, channels: [{ channel: EMAIL, enabled: true }] }) { userErrors { code } } }`;

let api: TestApi;
let database: pg.Client;
let sink: Awaited<ReturnType<typeof smtpSink>>;

beforeAll(async () => {
  sink = await smtpSink({});
  api = await startMemberApi({ MAIL_SMTP_URL: sink.url, MAIL_FROM: 'no-reply@school.example' });
  await api.replica();
  database = new pg.Client({ connectionString: api.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await api.stop();
  await sink.close();
});

/** The mails to an address, with their subjects and texts decoded. */
const mailsTo = (address: string) => sink.received.filter(({ to }) => to.includes(address)).map(readMail);

/** A member of a site with an address, a language and a time zone, or with neither. */
async function memberAt(place: 0 | 1, email: string, locale: string | null, timezone: string | null) {
  const site = api.sites[place];
  const { site_id, base_url, host, name, slug, org_id } = site;
  const person = api.student(site);
  const member = { site_id, person_id: person.person_id };
  await api.world.person({ person_id: member.person_id, email, locale: locale ?? 'en' });
  await api.world.role({ ...member, email, locale, timezone });
  await api.world.site({ site_id, base_url, host, name, slug, org_id, state: 'active' });
  const request = { site, token: await api.token({ site, person }) };
  await api.until('{ viewer { id schools { id } } }', ({ viewer }) => viewer?.schools.length === 1, request);
  const cases = new NotificationCases(api, database, member, request);
  await cases.enroll();
  return { member, request, cases };
}

type Reader = Awaited<ReturnType<typeof memberAt>>;

/** Switches on the mails of topics, as a member does. */
async function subscribe({ request }: Reader, topics: readonly string[]): Promise<void> {
  const { nodes } = (await api.query(LIST, request)).body.data.viewer.notificationSubscriptions;
  for (const { id } of nodes.filter(({ topic }: Data) => topics.includes(topic))) {
    const { body } = await api.query(SUBSCRIBE, { ...request, variables: { id } });
    expect(body.data.updateNotificationSubscription.userErrors).toEqual([]);
  }
}

/** Waits until no mail is left, and expects at most one of each subject. */
async function expectEachOnce(address: string): Promise<void> {
  await eventually(async () => {
    const { rows } = await database.query('select from outbound_mails where ended_at is null');
    return rows.length === 0;
  });
  const ids = mailsTo(address).map(({ messageId }) => messageId);
  const subjects = mailsTo(address).map(({ subject, text }) => `${subject} ${text}`);
  expect([ids.length > 5, new Set(ids).size, new Set(subjects).size]).toEqual([true, ids.length, ids.length]);
}

describe('a member with English and the defaults', () => {
  const ADDRESS = 'ada@example.org';
  let ada: Reader;
  beforeAll(async () => {
    ada = await memberAt(0, ADDRESS, 'en', null);
    await subscribe(ada, ['MARKETING']);
  });

  it.each(ALL)('gets %s in the inbox, and by e-mail if its topic says so', async (kind) => {
    const name = `Thing-${ALL.indexOf(kind)}`;
    const expected = await ada.cases.cases[kind](name);
    const notification = await ada.cases.notified(kind, name);
    expect([notification.title, notification.subject?.__typename]).toEqual([expected.title, expected.subject]);
    if (expected.body !== undefined) expect(notification.body).toBe(expected.body);
    const { rows } = await database.query('select from outbound_mails where kind = $1', [kind]);
    expect(rows.length > 0).toBe(TOPICS[topicOf(kind)].email);
    if (rows.length > 0) {
      const mail = await eventually(() => mailsTo(ADDRESS).find(({ subject }) => subject === notification.title));
      expect(mail.html).toContain('<html lang="en" dir="ltr">');
    }
  });

  it('gets no mail twice from two replicas', () => expectEachOnce(ADDRESS));
});

describe('a member with Chinese, a time zone, and mails of all topics', () => {
  const ADDRESS = 'mei@example.org';
  let mei: Reader;
  beforeAll(async () => {
    mei = await memberAt(1, ADDRESS, 'zh-TW', 'Asia/Taipei');
    await subscribe(mei, ['MARKETING', 'NEW_LECTURE']);
  });

  const taipei = (start: string): string =>
    new Date(Date.parse(start) + 8 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ') + ' (Asia/Taipei)';

  it.each(ALL)('gets %s in Chinese and in their zone', async (kind) => {
    const name = `Mei-${ALL.indexOf(kind)}`;
    const { start } = await mei.cases.cases[kind](name);
    const { title, body } = await mei.cases.notified(kind, name);
    const isContent = ['post_published', 'course_post_published', 'announcement_sent', 'offer_sent'].includes(kind);
    expect([/\p{Script=Han}/u.test(title), (body ?? '').includes(start === undefined ? '' : taipei(start))]).toEqual([
      !isContent,
      true,
    ]);
    // A member cannot have mails of what opens in the site at once.
    if (topicOf(kind) === 'access') return;
    const mail = await eventually(() => mailsTo(ADDRESS).find(({ subject }) => subject === title));
    for (const form of [mail.text, mail.html]) {
      expect([form.includes('你收到這封來自'), form.includes(body ?? '')]).toEqual([true, true]);
    }
    expect(mail.html).toContain('<html lang="zh-TW" dir="ltr">');
  });

  it('gets no mail twice from two replicas', () => expectEachOnce(ADDRESS));
});
