import { eventually } from '@lyceum/testing';
import { uuidv7 } from '@lyceum/platform';
import type pg from 'pg';
import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';
import { PurchaseWorld } from './purchase-world.js';

const DAY = 86_400_000;

let api: TestApi;
let database: pg.Client;
let school: PurchaseWorld;
let member: { site_id: string; person_id: string };

beforeAll(async () => {
  api = await startMemberApi();
  database = await api.connect();
  school = new PurchaseWorld(api.world);
  member = await api.member();
});
afterAll(() => api.stop());

const from = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** An event whose cancellation has reached all members who were known then. */
async function canceledEvent(canceled_at: string) {
  const state = { state: 'canceled' as const, canceled_at };
  const { event_id } = await school.event({ site_id: member.site_id, ...state }, { name: 'canceled', version: 2 });
  const known = `select from events where event_id = $1
    and not exists (select from fan_outs where audience_id = $1 and ended_at is null)`;
  await eventually(async () => (await database.query(known, [event_id])).rowCount === 1);
  return { event_id, canceled_at };
}

/** The notifications of the event, once a later registration has been applied. */
async function kindsOf(event_id: string): Promise<string[]> {
  const other = await school.event({ site_id: member.site_id });
  const { registration_id } = await school.registration({ ...member, person_id: uuidv7(), event_id: other.event_id });
  const applied = 'select from event_registrations where registration_id = $1';
  await eventually(async () => (await database.query(applied, [registration_id])).rowCount === 1);
  const open = 'select from fan_outs where ended_at is null';
  await eventually(async () => (await database.query(open)).rowCount === 0);
  const { rows } = await database.query<{ kind: string }>(
    `select kind from notifications n join event_registrations r on r.registration_id = n.subject_id
     where r.event_id = $1 and n.person_id = $2`,
    [event_id, member.person_id],
  );
  return rows.map(({ kind }) => kind);
}

it('notifies a member who is linked after the cancellation of the event, once', async () => {
  const { event_id, canceled_at } = await canceledEvent(from(0));
  const place = { ...member, event_id, registered_at: from(-1_000) };
  const unknown = await school.registration({ ...place, person_id: null });
  const canceled = { ...unknown, state: 'canceled' as const, canceled_at };
  await school.registration(canceled, { name: 'canceled', version: 2 });
  expect(await kindsOf(event_id)).toEqual([]);
  const linked = { ...canceled, person_id: member.person_id };
  await school.registration(linked, { name: 'linked', version: 3 });
  await school.registration(linked, { name: 'linked', version: 4 });
  expect(await kindsOf(event_id)).toEqual(['event_canceled']);
});

it.each(['registered', 'waitlisted', 'checked_in'] as const)(
  'notifies a member who is %s by an event that arrives after the cancellation',
  async (state) => {
    const { event_id, canceled_at } = await canceledEvent(from(0));
    const registration = await school.registration({ ...member, event_id, state, registered_at: from(-1_000) });
    expect(await kindsOf(event_id)).toEqual(['event_canceled']);
    await school.registration({ ...registration, state: 'canceled', canceled_at }, { name: 'canceled', version: 2 });
    expect(await kindsOf(event_id)).toEqual(['event_canceled']);
  },
);

it('notifies of a cancellation once when the registration arrives first', async () => {
  const event = await school.event({ site_id: member.site_id });
  const { event_id } = event;
  const registration = await school.registration({ ...member, event_id, registered_at: from(-30 * DAY) });
  const canceled = { state: 'canceled' as const, canceled_at: from(0) };
  await school.event({ ...event, ...canceled }, { name: 'canceled', version: 2 });
  await school.registration({ ...registration, ...canceled }, { name: 'canceled', version: 2 });
  await eventually(async () => (await kindsOf(event_id)).length > 0);
  expect(await kindsOf(event_id)).toEqual(['event_canceled']);
});

it.each([
  ['a registration that was canceled before the event', 0, -DAY],
  ['an event that was canceled four days ago', -4 * DAY, -4 * DAY],
])('notifies of no %s', async (_which, event, registration) => {
  const { event_id } = await canceledEvent(from(event));
  const canceled = { state: 'canceled' as const, canceled_at: from(registration) };
  await school.registration({ ...member, event_id, registered_at: from(-30 * DAY), ...canceled });
  expect(await kindsOf(event_id)).toEqual([]);
});
