import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { Consulting, newLecturer } from './consulting.js';

/** Clocks go forward at 2:00 on 2090-03-12, and back at 2:00 on 2090-11-05. */
const ZONE = 'America/New_York';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

/** Sessions of an hour with one lecturer, in the zone. */
async function hourly(): Promise<Consulting> {
  const { id } = await newLecturer(api);
  return Consulting.open(api, { lecturer_ids: [id], timezone: ZONE, duration_minutes: 60 });
}

const add = (consulting: Consulting, starts_at: string, ends_at?: string) =>
  api.send('POST', `${consulting.path}/slots`, { body: { starts_at, ends_at } });

/** The time that clocks in the zone show. */
const clock = (instant: unknown): string =>
  new Date(String(instant)).toLocaleString('sv-SE', { timeZone: ZONE }).slice(0, 16);

it.each([
  ['forward', '2090-03-12T01:30:00-05:00', '2090-03-12 03:30'],
  ['back', '2090-11-05T01:30:00-04:00', '2090-11-05 01:30'],
])('ends a session after its minutes when clocks go %s meanwhile', async (_way, starts_at, end) => {
  const consulting = await hourly();
  const { body } = await add(consulting, starts_at);
  expect(Date.parse(String(body['ends_at'])) - Date.parse(starts_at)).toBe(3_600_000);
  expect([body['starts_at'], clock(body['ends_at'])]).toEqual([new Date(starts_at).toISOString(), end]);
});

it('gives a lecturer one session in each of the two hours that clocks show twice', async () => {
  const consulting = await hourly();
  const [first, second] = ['2090-11-05T01:00:00-04:00', '2090-11-05T01:00:00-05:00'];
  const added = [await add(consulting, first), await add(consulting, second), await add(consulting, first)];
  expect(added.map(({ status }) => status)).toEqual([201, 201, 409]);
  expect(added.slice(0, 2).map(({ body }) => clock(body['starts_at']))).toEqual([
    '2090-11-05 01:00',
    '2090-11-05 01:00',
  ]);
  const path = `${consulting.path}/slots?sort=starts_at&starts_at[gte]=2090-11-05T01:00:00-05:00`;
  const { body } = await api.send<{ data: { id: string }[] }>('GET', path);
  expect(body.data.map(({ id }) => id)).toEqual([added[1]?.body['id']]);
});

it('books and moves a session between the hours that clocks show twice, and across both changes', async () => {
  const consulting = await hourly();
  const { id: purchase } = await consulting.purchase();
  const starts = [
    '2090-03-12T01:00:00-05:00',
    '2090-03-12T03:00:00-04:00',
    '2090-11-05T01:00:00-04:00',
    '2090-11-05T01:00:00-05:00',
    '2090-11-05T02:00:00-05:00',
  ];
  const slots: string[] = [];
  for (const start of starts) slots.push(String((await add(consulting, start)).body['id']));
  const [first = '', ...others] = slots;
  const booking = await consulting.booked(first, purchase);
  let from = first;
  for (const [index, to_slot_id] of others.entries()) {
    const { body } = await consulting.act(from, booking, 'move', { to_slot_id });
    expect(body).toMatchObject({ slot_id: to_slot_id, starts_at: new Date(starts[index + 1] ?? '').toISOString() });
    from = to_slot_id;
  }
  const counts = await Promise.all(slots.map(async (id) => (await consulting.readSlot(id))['booked_count']));
  expect(counts).toEqual([0, 0, 0, 0, 1]);
});

it.each([
  ['of 23 hours', '2090-03-12T00:00:00-05:00', '2090-03-13T00:00:00-04:00', 201],
  ['of 25 hours', '2090-11-05T00:00:00-04:00', '2090-11-06T00:00:00-05:00', 422],
  ['of 24 hours of 25', '2090-11-05T00:00:00-04:00', '2090-11-05T23:00:00-05:00', 201],
])('measures the longest session in hours, on a day %s', async (_what, starts_at, ends_at, status) => {
  expect((await add(await hourly(), starts_at, ends_at)).status).toBe(status);
});

it('adds the slots of a week of each change in one request, each at ten in the zone', async () => {
  const consulting = await hourly();
  const days = (month: string, first: number, offsets: readonly string[]) =>
    offsets.map((offset, index) => `2035-${month}-${String(first + index).padStart(2, '0')}T10:00:00${offset}`);
  const starts = [
    ...days('03', 9, ['-05:00', '-05:00', '-04:00', '-04:00']),
    ...days('11', 2, ['-04:00', '-04:00', '-05:00', '-05:00']),
  ];
  const body = { atomic: true, items: starts.map((starts_at) => ({ starts_at })) };
  const added = await api.send('POST', `${consulting.path}/slots/bulk`, { body });
  expect(added.body).toMatchObject({ all_succeeded: true });
  const { body: listed } = await api.send<{ data: { starts_at: string; ends_at: string }[] }>(
    'GET',
    `${consulting.path}/slots?sort=starts_at`,
  );
  expect(listed.data.map(({ starts_at }) => clock(starts_at))).toEqual(starts.map((at) => `${at.slice(0, 10)} 10:00`));
  expect(new Set(listed.data.map(({ ends_at }) => clock(ends_at).slice(11)))).toEqual(new Set(['11:00']));
});
