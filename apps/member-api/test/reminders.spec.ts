import { consultingBookingEvents, consultingPurchaseEvents, consultingServiceEvents } from '@lyceum/contracts';
import { eventRegistrationEvents, eventEvents } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { eventually } from '@lyceum/testing';
import type pg from 'pg';
import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';

const HOUR = 3_600_000;
const INBOX = `{ viewer { notifications(first: 50) { nodes { kind title url subject { __typename
  ... on EventRegistration { id } ... on PurchasedConsultingService { id } } } } } }`;

let api: TestApi;
let database: pg.Client;
let site_id: string;
let person_id: string;

beforeAll(async () => {
  api = await startMemberApi();
  // Two applications share one database and compete for due reminders.
  await api.replica();
  database = await api.connect();
  ({ site_id } = api.sites[0]);
  ({ person_id } = api.student());
  await api.world.person({ person_id });
  await api.world.role({ person_id, site_id });
});
afterAll(() => api.stop());

const from = (ms: number): string => new Date(Date.now() + ms).toISOString();

interface Planned {
  readonly minutes_before: number;
  readonly sent: boolean;
  readonly planned: boolean;
}

async function plansOf(subject_id: string): Promise<Planned[]> {
  const { rows } = await database.query<Planned>(
    `SELECT minutes_before, ended_at IS NOT NULL AS sent, title IS NOT NULL AS planned
     FROM reminders WHERE subject_id = $1 ORDER BY minutes_before`,
    [subject_id],
  );
  return rows;
}

interface Given {
  readonly id?: string;
  readonly version?: number;
  readonly state?: 'published' | 'canceled';
  readonly canceled_at?: string;
}

async function event(starts: number, more: Given = {}) {
  const { id = uuidv7(), version = 1, state = 'published', canceled_at = null } = more;
  const data = {
    event_id: id,
    site_id,
    slug: `regatta-${id.slice(-4)}`,
    name: `Regatta ${id.slice(-4)}`,
    image_url: null,
    hosting_type: 'zoom' as const,
    join_url: null,
    location: null,
    starts_at: from(starts),
    ends_at: from(starts + HOUR),
    timezone: 'UTC',
    state,
    canceled_at,
  };
  await api.world.entity(eventEvents, id, site_id, data, { version, name: 'updated' });
  const text = 'SELECT FROM reminders WHERE subject_id = $1 AND version >= $2';
  await eventually(async () => (await database.query(text, [id, version])).rows.length === 2);
  return data;
}

async function register(event_id: string): Promise<string> {
  const registration_id = uuidv7();
  await api.world.entity(eventRegistrationEvents, registration_id, site_id, {
    registration_id,
    site_id,
    person_id,
    event_id,
    ticket_id: null,
    state: 'registered',
    registered_at: from(-HOUR),
    checked_in_at: null,
    canceled_at: null,
  });
  const text = 'SELECT FROM event_registrations WHERE registration_id = $1';
  await eventually(async () => (await database.query(text, [registration_id])).rows.length === 1);
  return registration_id;
}

/** Simulates the passing of time by moving due times to now. */
const due = (subject_id: string, minutes: number) =>
  database.query('UPDATE reminders SET due_at = now() WHERE subject_id = $1 AND minutes_before = $2', [
    subject_id,
    minutes,
  ]);
const sent = (subject_id: string, minutes: number) =>
  eventually(async () => (await plansOf(subject_id)).some((one) => one.minutes_before === minutes && one.sent));
const settled = (site: string) =>
  eventually(
    async () =>
      (await database.query('SELECT FROM fan_outs WHERE site_id = $1 AND ended_at IS NULL', [site])).rows.length === 0,
  );
const delivered = async (event: string, minutes: number): Promise<number> => {
  const text = `SELECT FROM notifications WHERE parameters @> jsonb_build_object('event', $1::text, 'minutes', $2::int)`;
  const { rows } = await database.query(text, [event, minutes]);
  return rows.length;
};

describe('the reminders of an event', () => {
  it('plans reminders a day and an hour before, unless they are past', async () => {
    const [far, near, now] = [await event(48 * HOUR), await event(2 * HOUR), await event(HOUR / 2)];
    const open = async (id: string) => (await plansOf(id)).filter((one) => !one.sent).map((one) => one.minutes_before);
    expect([await open(far.event_id), await open(near.event_id), await open(now.event_id)]).toEqual([
      [60, 1440],
      [60],
      [],
    ]);
  });

  it('reminds registered members once across replicas', async () => {
    const { event_id, name } = await event(25 * HOUR);
    const registration_id = await register(event_id);
    await database.query(
      `INSERT INTO event_registrations (registration_id, site_id, person_id, event_id, version, state, registered_at)
       SELECT uuidv7(), $1, uuidv7(), $2, 1, CASE WHEN n <= 40 THEN 'registered' ELSE 'canceled' END, now()
       FROM generate_series(1, 50) n`,
      [site_id, event_id],
    );
    await due(event_id, 1440);
    await sent(event_id, 1440);
    await settled(site_id);
    expect(await delivered(name, 1440)).toBe(41);
    const { body } = await api.query(INBOX);
    expect(body.data.viewer.notifications.nodes[0]).toEqual({
      kind: 'EVENT_STARTING',
      title: `${name} starts within 24 hours`,
      url: null,
      subject: { __typename: 'EventRegistration', id: `reg_${registration_id}` },
    });
  });

  it('sends each of many due reminders by one replica', async () => {
    const purchase_id = uuidv7();
    await database.query(
      `WITH service AS (
         INSERT INTO consulting_services (consulting_service_id, site_id, version, slug, name, state, timezone)
         VALUES (uuidv7(), $1, 1, 'many', 'Many', 'published', 'UTC') RETURNING consulting_service_id),
       purchase AS (
         INSERT INTO consulting_purchases (purchase_id, site_id, person_id, consulting_service_id, version, state,
                                           purchased_at, sessions_total, sessions_used)
         SELECT $3, $1, $2, consulting_service_id, 1, 'active', now(), 60, 60 FROM service),
       bookings AS (
         INSERT INTO consulting_bookings (booking_id, site_id, person_id, purchase_id, version, starts_at, ends_at, state)
         SELECT uuidv7(), $1, $2, $3, 1, now() + interval '1 hour', now() + interval '2 hours', 'scheduled'
         FROM generate_series(1, 60) n RETURNING booking_id, starts_at)
       INSERT INTO reminders (subject_id, minutes_before, site_id, kind, version, starts_at, due_at, title, person_id)
       SELECT booking_id, 60, $1, 'consulting_starting', 1, starts_at, now(), 'session', $2 FROM bookings`,
      [site_id, person_id, purchase_id],
    );
    const text = `SELECT FROM notifications WHERE kind = 'consulting_starting' AND subject_id = $1`;
    await eventually(async () => (await database.query(text, [purchase_id])).rows.length === 60);
    const { rows } = await database.query<{ unread: number; counted: number }>(
      `SELECT unread, (SELECT count(*)::int FROM notifications WHERE person_id = $1 AND read_at IS NULL) AS counted
       FROM inbox_counts WHERE person_id = $1`,
      [person_id],
    );
    expect(rows[0]?.unread).toBe(rows[0]?.counted);
  });

  it('moves reminders with the event and sends them again for the new time', async () => {
    const first = await event(25 * HOUR);
    const { event_id, name } = first;
    await register(event_id);
    await due(event_id, 1440);
    await sent(event_id, 1440);
    await settled(site_id);
    await event(72 * HOUR, { id: event_id, version: 2 });
    expect(await plansOf(event_id)).toEqual([
      { minutes_before: 60, sent: false, planned: true },
      { minutes_before: 1440, sent: false, planned: true },
    ]);
    await due(event_id, 1440);
    await sent(event_id, 1440);
    await settled(site_id);
    expect(await delivered(name, 1440)).toBe(2);
    // A repeated and an older event change nothing.
    await api.world.entity(eventEvents, event_id, site_id, first, { version: 1, name: 'republished' });
    await event(2 * HOUR);
    expect((await plansOf(event_id)).filter((one) => !one.sent).map((one) => one.minutes_before)).toEqual([60]);
  });

  it('sends no reminder of a canceled or started event', async () => {
    const { event_id, name } = await event(25 * HOUR);
    await register(event_id);
    await event(25 * HOUR, { id: event_id, version: 2, state: 'canceled' });
    await due(event_id, 60);
    await sent(event_id, 60);
    const late = await event(25 * HOUR);
    await register(late.event_id);
    await database.query(`UPDATE reminders SET starts_at = now(), due_at = now() WHERE subject_id = $1`, [
      late.event_id,
    ]);
    await sent(late.event_id, 60);
    // A reminder without a title ends when it is due, so that no claim reads it again.
    expect((await plansOf(event_id)).map(({ planned, sent: done }) => [planned, done])).toEqual([
      [false, true],
      [false, false],
    ]);
    await settled(site_id);
    expect([await delivered(name, 60), await delivered(late.name, 60)]).toEqual([0, 0]);
  });
});

it('notifies the registrants of a canceled event, and none whose registration was canceled before', async () => {
  const { event_id, name } = await event(48 * HOUR);
  const registration_id = await register(event_id);
  const canceled_at = from(0);
  await database.query(
    `INSERT INTO event_registrations (registration_id, site_id, person_id, event_id, version, state, registered_at, canceled_at)
     SELECT uuidv7(), $1, uuidv7(), $2, 1, state, now(), at FROM (VALUES
       ('waitlisted', null), ('checked_in', null), ('canceled', $3::timestamptz), ('canceled', $3 - interval '1 day'),
       ('no_show', null)
     ) given (state, at)`,
    [site_id, event_id, canceled_at],
  );
  await event(48 * HOUR, { id: event_id, version: 2, state: 'canceled', canceled_at });
  await api.until(INBOX, ({ viewer }) => viewer.notifications.nodes[0]?.kind === 'EVENT_CANCELED');
  await settled(site_id);
  const { body } = await api.query(INBOX);
  expect(body.data.viewer.notifications.nodes[0]).toEqual({
    kind: 'EVENT_CANCELED',
    title: `${name} is canceled`,
    url: null,
    subject: { __typename: 'EventRegistration', id: `reg_${registration_id}` },
  });
  const text = `SELECT FROM notifications WHERE kind = 'event_canceled' AND parameters->>'event' = $1`;
  expect((await database.query(text, [name])).rows).toHaveLength(4);
});

describe('the reminders of a booked session', () => {
  it('reminds the member of a booked session until it is canceled', async () => {
    const [purchase_id, consulting_service_id, booking_id] = [uuidv7(), uuidv7(), uuidv7()];
    await api.world.entity(consultingServiceEvents, consulting_service_id, site_id, {
      consulting_service_id,
      site_id,
      slug: 'advice',
      name: 'Advice',
      image_url: null,
      state: 'published',
      lecturer: null,
      lecturer_ids: [],
      timezone: 'UTC',
      duration_minutes: 60,
      sessions_included: 3,
      hosting_type: 'zoom',
      location: null,
    });
    await api.world.entity(consultingPurchaseEvents, purchase_id, site_id, {
      purchase_id,
      site_id,
      person_id,
      consulting_service_id,
      state: 'active',
      purchased_at: from(-HOUR),
      expires_at: null,
      sessions_total: 3,
      sessions_used: 0,
    });
    const booking = {
      booking_id,
      site_id,
      slot_id: uuidv7(),
      purchase_id,
      consulting_service_id,
      person_id,
      join_url: null,
    };
    const times = { starts_at: from(25 * HOUR), ends_at: from(26 * HOUR) };
    await api.world.entity(consultingBookingEvents, booking_id, site_id, { ...booking, ...times, state: 'scheduled' });
    await eventually(async () => (await plansOf(booking_id)).length === 2);
    await due(booking_id, 1440);
    // Another consumer confirms the booking, earlier or later.
    const isReminder = ({ title }: { title: string }): boolean => title === 'Your session starts within 24 hours';
    const data = await api.until(INBOX, ({ viewer }) => viewer.notifications.nodes.some(isReminder));
    expect(data.viewer.notifications.nodes.find(isReminder)).toMatchObject({
      kind: 'CONSULTING_STARTING',
      subject: { __typename: 'PurchasedConsultingService', id: `con_${purchase_id}` },
    });
    const canceled = { ...booking, ...times, state: 'canceled' as const };
    await api.world.entity(consultingBookingEvents, booking_id, site_id, canceled, { version: 2, name: 'canceled' });
    await eventually(async () => (await plansOf(booking_id)).every(({ planned }) => !planned));
  });
});
