import { uuidv7 } from '@lyceum/platform';
import { eventually, smtpSink } from '@lyceum/testing';
import type pg from 'pg';
import { readMail } from './mail-reader.js';
import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';
import { PurchaseWorld } from './purchase-world.js';

const HOUR = 3_600_000;
/** Clocks go forward at 1:00 UTC on this day, and back at 1:00 UTC on the other one. */
const ZONE = 'Europe/Lisbon';
const [FORWARD, BACK] = ['2090-03-26', '2090-10-29'];

let api: TestApi;
let world: PurchaseWorld;
let database: pg.Client;
let sink: Awaited<ReturnType<typeof smtpSink>>;
let site_id: string;
let service: { readonly site_id: string; readonly consulting_service_id: string };

beforeAll(async () => {
  sink = await smtpSink();
  api = await startMemberApi({ MAIL_SMTP_URL: sink.url, MAIL_FROM: 'no-reply@school.example' });
  world = new PurchaseWorld(api.world);
  database = await api.connect();
  const [{ base_url, host, name, slug, org_id }] = api.sites;
  [{ site_id }] = api.sites;
  await api.world.site({ site_id, base_url, host, name, slug, org_id, state: 'active', locale: 'en' });
  const { consulting_service_id } = await world.service({ site_id, timezone: ZONE });
  service = { site_id, consulting_service_id };
});
afterAll(async () => {
  await api.stop();
  await sink.close();
});

interface Choices {
  readonly timezone: string | null;
  readonly locale: string | null;
}

/** A member who has chosen a time zone and a language, or none, with a purchase. */
async function member(choices: Choices) {
  const person_id = uuidv7();
  await api.world.person({ person_id, locale: null });
  await api.world.role({ person_id, site_id, ...choices });
  const text = 'select from memberships where person_id = $1 and timezone is not distinct from $2';
  await eventually(async () => (await database.query(text, [person_id, choices.timezone])).rowCount === 1);
  const { purchase_id } = await world.purchase({ ...service, person_id });
  return { person_id, purchase_id };
}

/** Plans the reminders of a session, and makes the one of the day before due. */
async function remind(of: { person_id: string; purchase_id: string }, starts_at: string): Promise<void> {
  const ends_at = new Date(Date.parse(starts_at) + HOUR).toISOString();
  const { booking_id } = await world.booking({ ...service, ...of, starts_at, ends_at });
  const text = 'update reminders set due_at = now() where subject_id = $1 and minutes_before = 1440';
  await eventually(async () => (await database.query(text, [booking_id])).rowCount === 1);
}

/** The lines of the mails to a person that match, in the order of their text, once they are as many. */
async function linesOf(person_id: string, pattern: RegExp, count: number): Promise<string[]> {
  const read = (): string[] =>
    sink.received
      .filter(({ to }) => to.includes(`${person_id}@example.org`))
      .flatMap((mail) => readMail(mail).text.split('\n'))
      .filter((line) => pattern.test(line));
  return (await eventually(read, ({ length }) => length >= count)).toSorted();
}

it.each([
  [
    { timezone: 'Asia/Taipei', locale: 'zh-TW' },
    '你預約的時段24 小時內開始',
    '時段於 2090-07-03 18:00 (Asia/Taipei) 開始。',
  ],
  [
    { timezone: 'Asia/Taipei', locale: 'en' },
    'Your session starts within 24 hours',
    'It starts on 2090-07-03 18:00 (Asia/Taipei).',
  ],
  [{ timezone: null, locale: 'zh-TW' }, '你預約的時段24 小時內開始', '時段於 2090-07-03 11:00 (Europe/Lisbon) 開始。'],
  [
    { timezone: null, locale: null },
    'Your session starts within 24 hours',
    'It starts on 2090-07-03 11:00 (Europe/Lisbon).',
  ],
])('mails the reminder of a session to a member with %j in their language and zone', async (choices, title, body) => {
  const one = await member(choices);
  await remind(one, '2090-07-03T10:00:00.000Z');
  expect(await linesOf(one.person_id, new RegExp(title), 1)).toHaveLength(1);
  // The confirmation of the booking has the same time.
  expect(await linesOf(one.person_id, /2090-07-03/, 2)).toEqual([body, body]);
});

it('mails sessions on both sides of each change of clocks, and tells the repeated hour by its offset', async () => {
  const one = await member({ timezone: null, locale: 'en' });
  for (const day of [FORWARD, BACK]) {
    for (const time of ['00:30', '01:30']) await remind(one, `${day}T${time}:00.000Z`);
  }
  const lines = await linesOf(one.person_id, /^It starts on/, 8);
  expect([...new Set(lines)]).toEqual([
    'It starts on 2090-03-26 00:30 (Europe/Lisbon).',
    'It starts on 2090-03-26 02:30 (Europe/Lisbon).',
    'It starts on 2090-10-29 01:30 (Europe/Lisbon, UTC+00:00).',
    'It starts on 2090-10-29 01:30 (Europe/Lisbon, UTC+01:00).',
  ]);
  const elsewhere = await member({ timezone: 'America/New_York', locale: 'en' });
  // Half past one in New York, before clocks go back and after it.
  for (const time of ['05:30', '06:30', '07:30']) await remind(elsewhere, `2090-11-05T${time}:00.000Z`);
  expect([...new Set(await linesOf(elsewhere.person_id, /^It starts on/, 6))]).toEqual([
    'It starts on 2090-11-05 01:30 (America/New_York, UTC-04:00).',
    'It starts on 2090-11-05 01:30 (America/New_York, UTC-05:00).',
    'It starts on 2090-11-05 02:30 (America/New_York).',
  ]);
});

it('tells the times that clocks repeat by half an hour by their offset', async () => {
  const one = await member({ timezone: 'Australia/Lord_Howe', locale: 'en' });
  // Clocks go back from 2:00 to 1:30 on this day, at 15:00 UTC of the day before.
  for (const time of ['14:15', '14:45', '15:15', '15:45']) await remind(one, `2027-04-03T${time}:00.000Z`);
  expect([...new Set(await linesOf(one.person_id, /^It starts on/, 8))]).toEqual([
    'It starts on 2027-04-04 01:15 (Australia/Lord_Howe).',
    'It starts on 2027-04-04 01:45 (Australia/Lord_Howe, UTC+10:30).',
    'It starts on 2027-04-04 01:45 (Australia/Lord_Howe, UTC+11:00).',
    'It starts on 2027-04-04 02:15 (Australia/Lord_Howe).',
  ]);
});

it('tells the times that clocks repeat for two hours by their offset', async () => {
  const one = await member({ timezone: 'Antarctica/Troll', locale: 'en' });
  // Clocks go back from 3:00 to 1:00 on this day, at 1:00 UTC.
  for (const time of ['22:30', '23:30']) await remind(one, `2027-10-30T${time}:00.000Z`);
  for (const time of ['01:30', '03:30']) await remind(one, `2027-10-31T${time}:00.000Z`);
  expect([...new Set(await linesOf(one.person_id, /^It starts on/, 8))]).toEqual([
    'It starts on 2027-10-31 00:30 (Antarctica/Troll).',
    'It starts on 2027-10-31 01:30 (Antarctica/Troll, UTC+00:00).',
    'It starts on 2027-10-31 01:30 (Antarctica/Troll, UTC+02:00).',
    'It starts on 2027-10-31 03:30 (Antarctica/Troll).',
  ]);
});
