import { announcementEvents, commentEvents, postEvents, subscriptionEvents } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { eventually, smtpSink } from '@lyceum/testing';
import pg from 'pg';
import { TOPICS } from '#src/notification-subscriptions/topics.policy.js';
import { KINDS, topicOf } from '#src/notifications/kinds.policy.js';
import type { Kind } from '#src/notifications/kinds.policy.js';
import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';
import { PurchaseWorld } from './purchase-world.js';
import { lecture, section } from './world.js';

const HOUR = 3_600_000;
const INBOX = `{ viewer { notifications(first: 100) { nodes {
  kind title body url subject { __typename
    ... on EnrolledCourse { name } ... on PurchasedDigitalProduct { name } ... on PurchasedConsultingService { name }
    ... on EventRegistration { name } ... on Post { title } }
} } } }`;
const SUBSCRIBE = `mutation ($id: ID!) { updateNotificationSubscription(input: { subscriptionId: $id, active: true }) {
  userErrors { code } } }`;

interface Expected {
  readonly title: string;
  readonly body?: string;
  readonly subject?: string;
}

let api: TestApi;
let world: PurchaseWorld;
let database: pg.Client;
let sink: Awaited<ReturnType<typeof smtpSink>>;
let member: { readonly site_id: string; readonly person_id: string };
let course_id: string;

beforeAll(async () => {
  sink = await smtpSink({});
  api = await startMemberApi({ MAIL_SMTP_URL: sink.url, MAIL_FROM: 'no-reply@school.example' });
  world = new PurchaseWorld(api.world);
  database = new pg.Client({ connectionString: api.databaseUrl });
  await database.connect();
  const [{ site_id, base_url, host, name, slug, org_id }] = api.sites;
  member = { site_id, person_id: api.student().person_id };
  await api.world.person({ person_id: member.person_id, email: 'ada@example.org' });
  await api.world.role(member);
  await api.world.site({ site_id, base_url, host, name, slug, org_id, state: 'active' });
  await api.until('{ viewer { id schools { id } } }', ({ viewer }) => viewer?.schools.length === 1);
  ({ course_id } = await api.world.course({ site_id, name: 'Knots' }));
  await api.world.enrollment({ ...member, course_id });
  await notified('You are enrolled in Knots');
});
afterAll(async () => {
  await database.end();
  await api.stop();
  await sink.close();
});

const at = (ms: number): string => new Date(Date.now() + ms).toISOString();

const found = ({ viewer }: Data, title: string): Data =>
  viewer?.notifications.nodes.find((one: Data) => one.title === title);
const notified = async (title: string): Promise<Data> =>
  found(await api.until(INBOX, (data) => found(data, title) !== undefined), title);

async function announce(title: string, purpose: 'announcement' | 'marketing'): Promise<Expected> {
  const announcement_id = uuidv7();
  await api.world.entity(announcementEvents, announcement_id, member.site_id, {
    announcement_id,
    site_id: member.site_id,
    course_id: null,
    purpose,
    title,
    body: 'It is a holiday.',
    path: '/news',
    state: 'sent',
    sent_at: at(0),
  });
  return { title, body: 'It is a holiday.' };
}

async function publishPost(title: string, course: string | null): Promise<Expected> {
  const post_id = uuidv7();
  const post = { post_id, site_id: member.site_id, course_id: course, slug: title, title, excerpt: 'High and low.' };
  const data = { ...post, state: 'published' as const, published_at: at(0) };
  await api.world.entity(postEvents, post_id, member.site_id, data, { name: 'published' });
  return { title, body: 'High and low.', subject: 'Post' };
}

async function registered(name: string, given: { starts_at?: string; state?: 'waitlisted' } = {}) {
  const { state = 'registered', starts_at = '2027-07-03T10:00:00.000Z' } = given;
  const ends_at = new Date(Date.parse(starts_at) + HOUR).toISOString();
  const event = await world.event({ site_id: member.site_id, name, slug: name, starts_at, ends_at });
  const { event_id } = event;
  const registration = await world.registration({ ...member, event_id, state, registered_at: at(0) });
  await notified(state === 'waitlisted' ? `You are on the waiting list of ${name}` : `You are registered for ${name}`);
  return { event, registration };
}

async function purchased(name: string, purchased_at = '2026-01-01T00:00:00.000Z') {
  const { consulting_service_id } = await world.service({ site_id: member.site_id, name, slug: name });
  const { purchase_id } = await world.purchase({ ...member, consulting_service_id, purchased_at });
  return { ...member, consulting_service_id, purchase_id };
}

async function booked(name: string, starts_at = '2027-07-03T10:00:00.000Z') {
  const booking = await world.booking({ ...(await purchased(name)), starts_at });
  await notified(`Your session of ${name} is booked`);
  return booking;
}

/** Simulates that the reminder of a day before is due. */
const remind = (subject_id: string) =>
  eventually(async () => {
    const text = 'update reminders set due_at = now() where subject_id = $1 and minutes_before = 1440';
    return (await database.query(text, [subject_id])).rowCount === 1;
  });

const LATER = { starts_at: '2027-07-04T08:30:00.000Z', ends_at: '2027-07-04T09:30:00.000Z' };
const REGISTRATION = 'EventRegistration';
const SERVICE = 'PurchasedConsultingService';

/** Publishes the events that cause a notification of each kind about a thing with the name. */
const CASES: Readonly<Record<Kind, (name: string) => Promise<Expected>>> = {
  async course_enrolled(name) {
    const course = await api.world.course({ site_id: member.site_id, name });
    await api.world.enrollment({ ...member, course_id: course.course_id });
    return { title: `You are enrolled in ${name}`, subject: 'EnrolledCourse' };
  },
  async membership_changed(plan_name) {
    const subscription_id = uuidv7();
    const period = { trial_ends_at: null, current_period_end: at(HOUR), cancel_at_period_end: false, ended_at: null };
    const ids = { subscription_id, student_id: uuidv7(), plan_id: uuidv7(), price_id: uuidv7() };
    const state = { state: 'active' as const, state_since: '2026-01-01T00:00:00.000Z' };
    const data = { ...member, ...ids, plan_name, ...period, ...state };
    await api.world.entity(subscriptionEvents, subscription_id, member.site_id, data, { name: 'renewed' });
    return { title: `Your membership ${plan_name} is renewed` };
  },
  async product_granted(name) {
    const grant = await world.grant({ ...member, digital_product_id: uuidv7(), granted_at: at(0) });
    // The notification waits for the product, whose event is late.
    const { digital_product_id } = grant;
    await world.product({ site_id: member.site_id, digital_product_id, name, slug: name });
    return { title: `${name} is yours`, subject: 'PurchasedDigitalProduct' };
  },
  async consulting_granted(name) {
    await purchased(name, at(0));
    return { title: `You can book sessions of ${name}`, subject: SERVICE };
  },
  post_published: (title) => publishPost(title, null),
  announcement_sent: (title) => announce(title, 'announcement'),
  course_post_published: (title) => publishPost(title, course_id),
  async lecture_published(title) {
    const made = lecture(title, { title, published_at: at(0) });
    const { site_id } = member;
    await api.world.curriculum({ site_id, course_id, part_id: made.lecture_id, sections: [section([made])] });
    return { title: `New lecture: ${title}`, subject: 'EnrolledCourse' };
  },
  async comment_replied(author_name) {
    const comment_id = uuidv7();
    await api.world.entity(commentEvents, comment_id, member.site_id, {
      comment_id,
      site_id: member.site_id,
      commentable: { type: 'course', id: course_id },
      course_id,
      student_id: uuidv7(),
      author_person_id: null,
      author_name,
      parent: { comment_id: uuidv7(), author_person_id: member.person_id },
      path: '/courses/knots',
      excerpt: 'Indeed.',
      state: 'visible',
      posted_at: at(0),
    });
    return { title: `${author_name} replied to your comment`, body: 'Indeed.' };
  },
  async event_starting(name) {
    const { event } = await registered(name, { starts_at: '2090-07-03T10:00:00.000Z' });
    await remind(event.event_id);
    const body = 'It starts on 2090-07-03 11:00 (Europe/Lisbon).';
    return { title: `${name} starts within 24 hours`, body, subject: REGISTRATION };
  },
  async registration_confirmed(name) {
    const { registration } = await registered(name, { state: 'waitlisted' });
    await world.registration({ ...registration, state: 'registered' }, { version: 2 });
    return { title: `You are registered for ${name}`, subject: REGISTRATION };
  },
  async registration_waitlisted(name) {
    await registered(name, { state: 'waitlisted' });
    return { title: `You are on the waiting list of ${name}`, subject: REGISTRATION };
  },
  async registration_canceled(name) {
    const { registration } = await registered(name);
    await world.registration(
      { ...registration, state: 'canceled', canceled_at: at(0) },
      { version: 2, name: 'canceled' },
    );
    return { title: `Your registration for ${name} is canceled`, subject: REGISTRATION };
  },
  async event_changed(name) {
    const { event } = await registered(name);
    await world.event({ ...event, ...LATER }, { version: 2, name: 'updated' });
    const body = 'It now starts on 2027-07-04 09:30 (Europe/Lisbon).';
    return { title: `${name} has another time`, body, subject: REGISTRATION };
  },
  async event_canceled(name) {
    const { event } = await registered(name);
    await world.event({ ...event, state: 'canceled', canceled_at: at(0) }, { version: 2, name: 'canceled' });
    return { title: `${name} is canceled`, subject: REGISTRATION };
  },
  async consulting_starting(name) {
    const { booking_id } = await booked(name, '2090-07-03T10:00:00.000Z');
    await remind(booking_id);
    const body = 'It starts on 2090-07-03 11:00 (Europe/Lisbon).';
    return { title: 'Your session starts within 24 hours', body, subject: SERVICE };
  },
  async booking_confirmed(name) {
    await booked(name);
    const title = `Your session of ${name} is booked`;
    return { title, body: 'It starts on 2027-07-03 11:00 (Europe/Lisbon).', subject: SERVICE };
  },
  async booking_moved(name) {
    await world.booking({ ...(await booked(name)), ...LATER }, { version: 2, name: 'moved' });
    const title = `Your session of ${name} has another time`;
    return { title, body: 'It now starts on 2027-07-04 09:30 (Europe/Lisbon).', subject: SERVICE };
  },
  async booking_canceled(name) {
    await world.booking({ ...(await booked(name)), state: 'canceled' }, { version: 2, name: 'canceled' });
    const body = 'The session on 2027-07-03 11:00 (Europe/Lisbon) does not take place.';
    return { title: `Your session of ${name} is canceled`, body, subject: SERVICE };
  },
  async offer_sent(title) {
    const list = '{ viewer { notificationSubscriptions(first: 100) { nodes { id topic } } } }';
    const { nodes } = (await api.query(list)).body.data.viewer.notificationSubscriptions;
    const { id } = nodes.find(({ topic }: Data) => topic === 'MARKETING');
    const { body } = await api.query(SUBSCRIBE, { variables: { id } });
    expect(body.data.updateNotificationSubscription.userErrors).toEqual([]);
    return announce(title, 'marketing');
  },
};

it.each(Object.keys(KINDS) as Kind[])('delivers %s to the inbox, and by e-mail if its topic says so', async (kind) => {
  const { title, ...expected } = await CASES[kind](`Thing-${Object.keys(KINDS).indexOf(kind)}`);
  const notification = await notified(title);
  expect(notification.kind).toBe(kind.toUpperCase());
  expect(notification.subject?.__typename).toBe(expected.subject);
  if (expected.body !== undefined) expect(notification.body).toBe(expected.body);
  const { rows } = await database.query('select from outbound_mails where kind = $1', [kind]);
  expect(rows.length > 0).toBe(TOPICS[topicOf(kind)].email);
  if (rows.length > 0) await eventually(() => sink.received.some(({ source }) => source.includes(`Subject: ${title}`)));
});
