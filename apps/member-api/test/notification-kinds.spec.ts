import { eventually, smtpSink } from '@lyceum/testing';
import type pg from 'pg';
import { TOPICS } from '#src/notification-subscriptions/topics.policy.js';
import { KINDS, topicOf } from '#src/notifications/kinds.policy.js';
import type { Kind } from '#src/notifications/kinds.policy.js';
import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';
import { readMail } from './mail-reader.js';
import { NotificationCases } from './notification-cases.js';
import { PurchaseWorld } from './purchase-world.js';

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
  database = await api.connect();
});
afterAll(async () => {
  await api.stop();
  await sink.close();
});

interface Settings {
  readonly locale: string | null;
  readonly timezone: string | null;
  readonly course_url: string | null;
}

/** The web site of the school. */
const SCHOOL = 'https://www.example.com/courses/';
const OF_COURSES: readonly Kind[] = ['course_enrolled', 'lecture_published', 'comment_replied'];
const ANNOUNCEMENTS: readonly Kind[] = ['announcement_sent', 'offer_sent'];

/** The addresses in the text of a mail, without the one to unsubscribe. */
const linksIn = (text: string): string[] =>
  [...text.matchAll(/https?:\/\/[^\s>)]+/g)]
    .map(([link]) => link)
    .filter((link) => !link.includes('/member/unsubscribe'));

/** The mails to an address, with their subjects and texts decoded. */
const mailsTo = (address: string) => sink.received.filter(({ to }) => to.includes(address)).map(readMail);

/** A member with an address at a site with an URL template, with a language and a time zone, or with none of them. */
async function memberAt(place: 0 | 1, email: string, { locale, timezone, course_url }: Settings) {
  const site = api.sites[place];
  const { site_id, base_url, host, name, slug, org_id } = site;
  const person = api.student(site);
  const member = { site_id, person_id: person.person_id };
  await api.world.person({ person_id: member.person_id, email, locale: locale ?? 'en' });
  await api.world.role({ ...member, email, locale, timezone });
  await api.world.site({ site_id, base_url, host, name, slug, org_id, state: 'active', course_url });
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
    ada = await memberAt(0, ADDRESS, { locale: 'en', timezone: null, course_url: null });
    await subscribe(ada, ['MARKETING']);
  });

  it.each(ALL)('gets %s in the inbox, and by e-mail if its topic says so', async (kind) => {
    const name = `Thing-${ALL.indexOf(kind)}`;
    const expected = await ada.cases.cases[kind](name);
    const notification = await ada.cases.notified(kind, name);
    expect([notification.title, notification.subject?.__typename]).toEqual([expected.title, expected.subject]);
    if (expected.body !== undefined) expect(notification.body).toBe(expected.body);
    // The site has neither pages of courses, posts and events nor an URL template.
    const { base_url } = api.sites[0];
    const url = ANNOUNCEMENTS.includes(kind) ? `${base_url}/news` : null;
    expect(notification.url).toBe(url);
    const { rows } = await database.query('select from outbound_mails where kind = $1', [kind]);
    expect(rows.length > 0).toBe(TOPICS[topicOf(kind)].email);
    if (rows.length > 0) {
      const mail = await eventually(() => mailsTo(ADDRESS).find(({ subject }) => subject === notification.title));
      expect(mail.html).toContain('<html lang="en" dir="ltr">');
      expect([base_url, `${base_url}/`, url]).toEqual(expect.arrayContaining(linksIn(mail.text)));
      expect(linksIn(mail.text).includes(`${base_url}/news`)).toBe(url !== null);
    }
  });

  it('gets the confirmation of a registration, a product and a service when the draft is published', async () => {
    const world = new PurchaseWorld(api.world);
    const { member, cases } = ada;
    const name = 'Draft-1';
    const draft = { site_id: member.site_id, name, slug: name, state: 'draft' } as const;
    const event = await world.event(draft);
    const product = await world.product(draft);
    const service = await world.service(draft);
    const now = new Date().toISOString();
    const { registration_id } = await world.registration({ ...member, event_id: event.event_id, registered_at: now });
    const { digital_product_id } = product;
    const { grant_id } = await world.grant({ ...member, digital_product_id, granted_at: now });
    const { consulting_service_id } = service;
    const { purchase_id } = await world.purchase({ ...member, consulting_service_id, purchased_at: now });
    const waiting = async (): Promise<string[]> => {
      const text = 'select audience_id from fan_outs where audience_id = any ($1) and ended_at is null';
      const { rows } = await database.query<{ audience_id: string }>(text, [[registration_id, grant_id, purchase_id]]);
      return rows.map(({ audience_id }) => audience_id);
    };
    await eventually(async () => (await waiting()).toString() === registration_id);
    // A later job that has ended: the workers have read the earlier ones.
    await cases.cases.announcement_sent('Meanwhile');
    await cases.notified('announcement_sent', 'Meanwhile');
    expect(await waiting()).toEqual([registration_id]);
    const early = await database.query(`select from notifications where parameters::text like '%Draft-1%'`);
    expect(early.rowCount).toBe(0);
    const published = { version: 2, name: 'published' };
    await world.event({ ...event, state: 'published' }, published);
    await world.product({ ...product, state: 'published' }, published);
    await world.service({ ...service, state: 'published' }, published);
    for (const kind of ['registration_confirmed', 'product_granted', 'consulting_granted'] as const)
      expect((await cases.notified(kind, name)).title).toContain(name);
  });

  it('gets no mail twice from two replicas', () => expectEachOnce(ADDRESS));
});

describe('a member with Chinese, a time zone, and mails of all topics', () => {
  const ADDRESS = 'mei@example.org';
  let mei: Reader;
  beforeAll(async () => {
    mei = await memberAt(1, ADDRESS, {
      locale: 'zh-TW',
      timezone: 'Asia/Taipei',
      course_url: `${SCHOOL}{slug}?id={id}`,
    });
    await subscribe(mei, ['MARKETING', 'NEW_LECTURE']);
  });

  const taipei = (start: string): string =>
    new Date(Date.parse(start) + 8 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ') + ' (Asia/Taipei)';

  it.each(ALL)('gets %s in Chinese and in their zone', async (kind) => {
    const name = `Mei-${ALL.indexOf(kind)}`;
    const { start } = await mei.cases.cases[kind](name);
    const { title, body, url } = await mei.cases.notified(kind, name);
    if (OF_COURSES.includes(kind))
      expect(url).toMatch(/^https:\/\/www\.example\.com\/courses\/[\w-]+\?id=[\da-f-]{36}$/);
    else expect(url).toBe(ANNOUNCEMENTS.includes(kind) ? `${api.sites[1].base_url}/news` : null);
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
    if (url !== null) expect(linksIn(mail.text)).toContain(url);
  });

  it('gets no mail twice from two replicas', () => expectEachOnce(ADDRESS));
});
