import { TIME_ZONES, isTimeZone, offsetOf, uuidv7 } from '@lyceum/platform';
import { eventually } from '@lyceum/testing';
import type pg from 'pg';
import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';
import { PurchaseWorld } from './purchase-world.js';

let api: TestApi;
let world: PurchaseWorld;
let database: pg.Client;
let site_id: string;

beforeAll(async () => {
  api = await startMemberApi();
  world = new PurchaseWorld(api.world);
  database = await api.connect();
  [{ site_id }] = api.sites;
});
afterAll(() => api.stop());

/** A member of the site who has chosen a time zone, or none. */
async function memberIn(timezone: string | null): Promise<string> {
  const person_id = uuidv7();
  await api.world.role({ person_id, site_id, timezone });
  const text = 'select from memberships where person_id = $1 and timezone is not distinct from $2';
  await eventually(async () => (await database.query(text, [person_id, timezone])).rowCount === 1);
  return person_id;
}

/** The members of each zone. */
const ZONES = ['America/New_York', 'Asia/Taipei', null] as const;
const members = () => Promise.all(ZONES.map(memberIn));

/** An event at an instant, whose reminders are planned. */
async function eventAt(starts_at: string, timezone: string) {
  const ends_at = new Date(Date.parse(starts_at) + 3_600_000).toISOString();
  const event = await world.event({ site_id, slug: `event-${uuidv7()}`, starts_at, ends_at, timezone });
  await planned(event.event_id);
  return event;
}

async function planned(subject_id: string): Promise<void> {
  const text = 'select from reminders where subject_id = $1';
  await eventually(async () => (await database.query(text, [subject_id])).rowCount === 2);
}

/** Waits for the registrations of an event. */
async function registered(event_id: string, count: number): Promise<void> {
  const text = 'select from event_registrations where event_id = $1';
  await eventually(async () => (await database.query(text, [event_id])).rowCount === count);
}

/** Simulates that a reminder is due. */
const remind = (subject_id: string, minutes: number) =>
  database.query('update reminders set due_at = now() where subject_id = $1 and minutes_before = $2', [
    subject_id,
    minutes,
  ]);

/** The starts in the notifications of a kind, in the order of the people, once all of them have one. */
async function startsOf(kind: string, people: readonly string[], minutes: number | null = null): Promise<unknown[]> {
  const text = `select parameters->>'start' as start from notifications
    where kind = $1 and person_id = any($2) and ($3::int is null or (parameters->>'minutes')::int = $3)
    order by array_position($2, person_id)`;
  const read = async () => (await database.query<{ start: string }>(text, [kind, people, minutes])).rows;
  return (await eventually(read, (rows) => rows.length === people.length)).map(({ start }) => start);
}

it.each([
  ['forward', '2090-03-12T12:00:00.000Z', [7, 8]],
  ['back', '2090-11-05T12:00:00.000Z', [8, 7]],
])('plans reminders 24 hours and one hour before, also when clocks go %s in between', async (_way, at, hours) => {
  const { event_id } = await eventAt(at, 'America/New_York');
  const { rows } = await database.query<{ before: number; clocks: number[] }>(
    `select extract(epoch from starts_at - due_at)::int / 60 as before,
       array[extract(hour from due_at at time zone 'America/New_York')::int,
             extract(hour from starts_at at time zone 'America/New_York')::int] as clocks
     from reminders where subject_id = $1 order by minutes_before`,
    [event_id],
  );
  expect(rows.map(({ before }) => before)).toEqual([60, 1440]);
  // The clocks of the member show another hour than a day later.
  expect(rows[1]?.clocks).toEqual(hours);
});

it('shows the start of an event in the zone of each member, and in that of the event to others', async () => {
  // Clocks in New York went forward some hours before.
  const { event_id } = await eventAt('2090-03-12T12:00:00.000Z', 'Europe/Lisbon');
  const people = await members();
  for (const person_id of people) await world.registration({ site_id, person_id, event_id });
  await registered(event_id, people.length);
  for (const minutes of [1440, 60]) {
    await remind(event_id, minutes);
    expect(await startsOf('event_starting', people, minutes)).toEqual([
      '2090-03-12 08:00 (America/New_York)',
      '2090-03-12 20:00 (Asia/Taipei)',
      '2090-03-12 12:00 (Europe/Lisbon)',
    ]);
  }
});

it('reminds all members of an event, also one whose zone PostgreSQL does not know or understands otherwise', async () => {
  const { event_id } = await eventAt('2090-03-12T12:00:00.000Z', 'Europe/Lisbon');
  const stored = ['AET', 'Canada/East-Saskatchewan', 'IST', 'GMT', 'Asia/Taipei'];
  const people = await Promise.all(stored.map(memberIn));
  for (const person_id of people) await world.registration({ site_id, person_id, event_id });
  await registered(event_id, people.length);
  await remind(event_id, 60);
  expect(await startsOf('event_starting', people, 60)).toEqual([
    '2090-03-12 12:00 (Europe/Lisbon)',
    '2090-03-12 12:00 (Europe/Lisbon)',
    '2090-03-12 12:00 (Europe/Lisbon)',
    '2090-03-12 12:00 (GMT)',
    '2090-03-12 20:00 (Asia/Taipei)',
  ]);
});

it('shows the start of an event in UTC if PostgreSQL does not know its zone', async () => {
  const { event_id } = await eventAt('2090-03-12T12:00:00.000Z', 'AET');
  const people = await Promise.all([memberIn(null), memberIn('Asia/Taipei')]);
  for (const person_id of people) await world.registration({ site_id, person_id, event_id });
  await registered(event_id, people.length);
  await remind(event_id, 60);
  expect(await startsOf('event_starting', people, 60)).toEqual([
    '2090-03-12 12:00 (UTC)',
    '2090-03-12 20:00 (Asia/Taipei)',
  ]);
});

it('shows another start of an event in the zone of each member', async () => {
  const event = await eventAt('2090-06-01T12:00:00.000Z', 'Europe/Lisbon');
  const people = await members();
  for (const person_id of people) await world.registration({ site_id, person_id, event_id: event.event_id });
  await registered(event.event_id, people.length);
  const later = { starts_at: '2090-06-02T20:00:00.000Z', ends_at: '2090-06-02T21:00:00.000Z' };
  await world.event({ ...event, ...later }, { version: 2, name: 'updated' });
  expect(await startsOf('event_changed', people)).toEqual([
    '2090-06-02 16:00 (America/New_York)',
    '2090-06-03 04:00 (Asia/Taipei)',
    '2090-06-02 21:00 (Europe/Lisbon)',
  ]);
});

it('shows the start of a session in the zone of its member, and in that of the service to others', async () => {
  const { consulting_service_id } = await world.service({ site_id });
  const times = { starts_at: '2090-03-12T12:00:00.000Z', ends_at: '2090-03-12T13:00:00.000Z' };
  const people = await members();
  for (const person_id of people) {
    const { purchase_id } = await world.purchase({ site_id, person_id, consulting_service_id });
    const { booking_id } = await world.booking({ site_id, person_id, purchase_id, consulting_service_id, ...times });
    await planned(booking_id);
    await remind(booking_id, 1440);
  }
  const starts = [
    '2090-03-12 08:00 (America/New_York)',
    '2090-03-12 20:00 (Asia/Taipei)',
    '2090-03-12 12:00 (Europe/Lisbon)',
  ];
  expect(await startsOf('booking_confirmed', people)).toEqual(starts);
  expect(await startsOf('consulting_starting', people, 1440)).toEqual(starts);
});

it('gives each time zone that a member can choose the clocks that the member chose', async () => {
  const { rows } = await database.query<{ name: string }>(
    'select name from pg_timezone_names union select abbrev from pg_timezone_abbrevs',
  );
  const zones = [...new Set([...TIME_ZONES, ...rows.map(({ name }) => name)])].filter(isTimeZone);
  expect(zones.length).toBeGreaterThan(500);
  // Fails at a name that PostgreSQL does not know.
  const text = `select (extract(epoch from ($2::timestamptz at time zone zone) - ($2::timestamptz at time zone 'UTC')) * 1000)::int as ms
    from unnest($1::text[]) with ordinality as named (zone, place) order by place`;
  for (const instant of ['2025-01-15T12:00:00Z', '2025-07-15T12:00:00Z']) {
    const offsets = (await database.query<{ ms: number }>(text, [zones, instant])).rows.map(({ ms }) => ms);
    expect(zones.map((zone, at) => [zone, offsets[at]])).toEqual(
      zones.map((zone) => [zone, offsetOf(Date.parse(instant), zone)]),
    );
  }
});
