import { RegistrationService } from '#src/event-registrations/registration.service.js';
import type { TestApi } from './admin-api.js';
import { untilBlocked, withDatabase } from './database.js';
import { TestEvent, newStudents } from './new-events.js';
import { Replicas } from './replicas.js';
import type { WorkOf } from './replicas.js';

const EDGE = { by: 'operator', event: '', student: '/student_id', ticket: '/ticket_id' } as const;

let replicas: Replicas;
let api: TestApi;
beforeAll(async () => {
  replicas = await Replicas.open();
  ({ api } = replicas);
});
afterAll(() => api.stop());

const site = () => ({ site_id: api.sites[0].site_id });

type Work = WorkOf<RegistrationService>;
const atOnce = (works: readonly Work[]) => replicas.atOnce(RegistrationService, works);

const registering =
  (event_id: string, student_id: string, ticket_id: string | null = null): Work =>
  async (registrations, tx) => {
    const wanted = { student_id, ticket_id, source: 'manual' as const, external_id: null };
    const { row, created } = await registrations.register(site(), { event_id }, wanted, tx, EDGE);
    return created ? row.state : 'known';
  };

const canceling =
  (id: string, event_id: string): Work =>
  async (registrations, tx) =>
    (await registrations.cancel(site(), { id, event_id }, tx, EDGE)).row.state;

/** The numbers of registrations by state, counted from the rows. */
async function rowsOf(event_id: string): Promise<Record<string, number>> {
  return withDatabase(api.databaseUrl, async (client) => {
    const text = 'select state, count(*)::int from event_registrations where event_id = $1 group by state';
    const { rows } = await client.query<{ state: string; count: number }>(text, [event_id]);
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  });
}

it('registers fifty of two hundred students who ask two replicas at the same time for fifty places', async () => {
  const event = await TestEvent.open(api, { capacity: 50 });
  const students = await newStudents(api, 200);
  const outcomes = await atOnce(students.map((student) => registering(event.id, student)));
  expect(outcomes).toEqual({ registered: 50, invalid_state: 150 });
  expect(await event.read()).toMatchObject({ capacity: 50, registrations_count: 50 });
  expect(await rowsOf(event.id)).toEqual({ registered: 50 });
});

it('puts the others on the waiting list, and moves up one for each cancellation at both replicas', async () => {
  const event = await TestEvent.open(api, { capacity: 50, waitlist: true });
  const students = await newStudents(api, 200);
  const outcomes = await atOnce(students.map((student) => registering(event.id, student)));
  expect(outcomes).toEqual({ registered: 50, waitlisted: 150 });
  const placed = await withDatabase(api.databaseUrl, async (client) => {
    const text = `select id from event_registrations where event_id = $1 and state = 'registered' limit 30`;
    return (await client.query<{ id: string }>(text, [event.id])).rows;
  });
  expect(await atOnce(placed.map(({ id }) => canceling(id, event.id)))).toEqual({ canceled: 30 });
  expect(await event.read()).toMatchObject({ registrations_count: 50 });
  expect(await rowsOf(event.id)).toEqual({ registered: 50, waitlisted: 120, canceled: 30 });
});

it('registers a student who asks ten times at the same time once', async () => {
  const event = await TestEvent.open(api);
  const [student = ''] = await newStudents(api, 1);
  const outcomes = await atOnce(Array.from({ length: 10 }, () => registering(event.id, student)));
  expect(outcomes).toEqual({ registered: 1, known: 9 });
  expect(await event.read()).toMatchObject({ registrations_count: 1 });
});

it('keeps counts while places of two tickets are canceled and taken at the same time', async () => {
  const event = await TestEvent.open(api, { capacity: 12, waitlist: true });
  const tickets = [await event.ticket({ capacity: 6 }), await event.ticket({ capacity: 8 })];
  const students = await newStudents(api, 40);
  const ids: string[] = [];
  for (const [index, student] of students.slice(0, 20).entries()) {
    ids.push((await event.registered(student, { ticket_id: tickets[index % 2] })).id);
  }
  const outcomes = await atOnce([
    ...ids.slice(0, 15).map((id) => canceling(id, event.id)),
    ...students.slice(20).map((student, index) => registering(event.id, student, tickets[index % 2])),
  ]);
  expect(outcomes['canceled']).toBe(15);
  const taken = await withDatabase(api.databaseUrl, async (client) => {
    const { rows } = await client.query<{ ticket_id: string; count: number }>(
      `select ticket_id, count(*)::int from event_registrations
       where event_id = $1 and state = 'registered' group by ticket_id`,
      [event.id],
    );
    return new Map(rows.map(({ ticket_id, count }) => [ticket_id, count]));
  });
  expect(await event.read()).toMatchObject({ registrations_count: 12 });
  expect([...taken.values()].reduce((sum, count) => sum + count, 0)).toBe(12);
  for (const id of tickets) expect(await event.readTicket(id)).toMatchObject({ sold_count: taken.get(id) });
});

it('cancels a registration while another transaction changes a student and then the registration', async () => {
  const event = await TestEvent.open(api);
  const [student = ''] = await newStudents(api, 1);
  const { id } = await event.registered(student);
  const canceled = await withDatabase(api.databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('update students set version = version + 1 where id = $1', [student]);
    await client.query('update event_registrations set version = version + 1 where id = $1', [id]);
    const response = event.move(id, 'cancel');
    await untilBlocked(client);
    await client.query('commit');
    return response;
  });
  expect(canceled.body).toMatchObject({ state: 'canceled' });
});
