import ICAL from 'ical.js';
import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';
import { PurchaseWorld } from './purchase-world.js';

let api: TestApi;
let world: PurchaseWorld;
let member: { site_id: string; person_id: string };

beforeAll(async () => {
  api = await startMemberApi();
  world = new PurchaseWorld(api.world);
  member = await api.member();
});
afterAll(() => api.stop());

const QUERY = '{ viewer { eventRegistrations(first: 50) { nodes { slug state startsAt joinUrl calendarUrl } } } }';
const find = (data: Data, slug: string): Data =>
  data.viewer?.eventRegistrations.nodes.find((one: Data) => one.slug === slug);
const until = async (slug: string, done: (found: Data) => boolean): Promise<Data> =>
  find(await api.until(QUERY, (data) => done(find(data, slug))), slug);
const follow = (path: string, site?: TestApi['sites'][number]) =>
  api.query('', { method: 'GET', body: undefined, token: null, path, ...(site && { site }) });

/** The event of a calendar file, as another library reads it. */
function read(text: string): Readonly<Record<string, unknown>> {
  const [event] = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
  return Object.fromEntries((event?.getAllProperties() ?? []).map((one) => [one.name, one.getFirstValue()]));
}

/** A registration of the member, and the path of its calendar. */
async function registered(slug: string, more: Parameters<PurchaseWorld['event']>[0] | object = {}) {
  const event = await world.event({ site_id: member.site_id, slug, ...more });
  const registration = await world.registration({ ...member, event_id: event.event_id });
  const { calendarUrl } = await until(slug, Boolean);
  return { event, registration, path: calendarUrl.slice(api.sites[0].base_url.length) };
}

it('serves the event as a file without a token, and forbids caching', async () => {
  const { event, path } = await registered('harbour', { name: 'Harbour, day' });
  const { status, headers, text } = await follow(path);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'content-disposition': 'attachment; filename="harbour.ics"',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
  const host = new URL(api.sites[0].base_url).host;
  expect(text).toContain('DTSTART:20270203T100000Z\r\nDTEND:20270203T120000Z\r\n');
  expect(read(text)).toMatchObject({
    uid: `${event.event_id}@${host}`,
    sequence: 2,
    status: 'CONFIRMED',
    summary: 'Harbour, day',
    description: 'https://meet.example/harbour',
  });
  expect(text).not.toContain('\r\nURL');
});

it.each([
  ['registered', true],
  ['waitlisted', false],
  ['checked_in', false],
  ['no_show', false],
  ['canceled', false],
] as const)('shows the join URL to a member who is %s: %s', async (state, shown) => {
  const slug = `joined-${state.replace('_', '-')}`;
  const { event_id } = await world.event({ site_id: member.site_id, slug, join_url: 'https://meet.example/room' });
  await world.registration({ ...member, event_id, state });
  const { joinUrl, calendarUrl } = await until(slug, Boolean);
  expect(joinUrl).toBe(shown ? 'https://meet.example/room' : null);
  const { text } = await follow(calendarUrl.slice(api.sites[0].base_url.length));
  expect([text.includes('BEGIN:VEVENT'), text.includes('meet.example')]).toEqual([true, shown]);
});

it('shows a canceled event as canceled, with a higher sequence and without the join URL', async () => {
  const { event, path } = await registered('storm');
  const canceled = { ...event, state: 'canceled' as const, canceled_at: '2026-11-01T00:00:00.000Z' };
  await world.event(canceled, { version: 5, name: 'canceled' });
  await until('storm', ({ state }) => state === 'CANCELED');
  const { text } = await follow(path);
  expect(read(text)).toMatchObject({ status: 'CANCELLED', sequence: 6 });
  expect(text).not.toContain('meet.example');
});

it('grows the sequence of one entry when the event moves, and when the member cancels and registers again', async () => {
  const { event, registration, path } = await registered('tides');
  const moved = { ...event, starts_at: '2027-02-04T10:00:00.000Z', ends_at: '2027-02-04T12:00:00.000Z' };
  await world.event(moved, { version: 2, name: 'updated' });
  await until('tides', ({ startsAt }) => startsAt === moved.starts_at);
  const files = [read((await follow(path)).text)];

  const canceled = { ...registration, state: 'canceled' as const, canceled_at: '2026-11-01T00:00:00.000Z' };
  await world.registration(canceled, { version: 2, name: 'canceled' });
  await until('tides', ({ state }) => state === 'CANCELED');
  files.push(read((await follow(path)).text));

  const again = { ...member, event_id: event.event_id, registered_at: '2026-11-02T00:00:00.000Z' };
  await world.registration(again);
  const { calendarUrl } = await until('tides', ({ state }) => state === 'REGISTERED');
  files.push(read((await follow(calendarUrl.slice(api.sites[0].base_url.length))).text));
  files.push(read((await follow(path)).text));

  expect(files.map(({ status, sequence }) => [status, sequence])).toEqual([
    ['CONFIRMED', 3],
    ['CANCELLED', 4],
    ['CONFIRMED', 5],
    // The link of the earlier registration.
    ['CANCELLED', 4],
  ]);
  expect(new Set(files.map(({ uid }) => uid)).size).toBe(1);
  expect(String(files[0]?.['dtstart'])).toBe('2027-02-04T10:00:00Z');
});

it('rejects a link at another site, with a changed character, or malformed', async () => {
  const { path } = await registered('fenced');
  const last = path.at(-2) === 'A' ? 'B' : 'A';
  for (const response of [
    follow(path, api.sites[1]),
    follow(`${path.slice(0, -2)}${last}${path.slice(-1)}`),
    follow('/member/calendars?token='),
    follow('/member/calendars'),
    follow(path.replace('calendars', 'downloads')),
  ]) {
    const { status, text } = await response;
    expect(status).toBe(404);
    expect(text).not.toContain('VCALENDAR');
  }
});

it('invalidates a link when the event is deleted or the member is gone', async () => {
  const deleted = await registered('deleted');
  await world.event({ ...deleted.event, state: 'deleted' }, { version: 2, name: 'deleted' });
  await until('deleted', (found) => found === undefined);
  expect((await follow(deleted.path)).status).toBe(404);
  const { path } = await registered('left');
  await api.world.role({ ...member, roles: [] }, { version: 2 });
  await api.until(QUERY, ({ viewer }) => viewer === null);
  expect((await follow(path)).status).toBe(404);
});
