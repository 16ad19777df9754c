import { randomUUID } from 'node:crypto';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import { SeatingService } from '#src/event-registrations/seating.service.js';
import { TicketSaleService } from '#src/event-registrations/ticket-sale.service.js';
import type { EntityManager } from 'typeorm';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { TestEvent, newStudents, pointers } from './new-events.js';
import { statementsOf } from './statements.js';

const PRICE = { amount_minor: 20_000, currency: 'TWD' };

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const names = async (ids: readonly string[], count: number): Promise<unknown[]> =>
  (await api.events.of(ids, count)).map(({ type }) => type.split('.')[2]);
const run = <T>(work: (tx: EntityManager) => Promise<T>): Promise<T> =>
  api.service.app.get(Outbox, { strict: false }).transaction(work);
const followClock = (): Promise<number> => api.service.app.get(SeatingService, { strict: false }).followClock(100);
const query = (text: string, values: unknown[]) =>
  withDatabase(api.databaseUrl, (client) => client.query(text, values));

it('follows the clock in reads at once, and publishes the new states once', async () => {
  const event = await TestEvent.open(api);
  const shift = (hours: number) =>
    query(
      `update events set starts_at = starts_at - $2 * interval '1 hour', ends_at = ends_at - $2 * interval '1 hour'
      where id = $1`,
      [event.id, hours],
    );
  const { headers, body: before } = await api.send('GET', event.path);
  await shift(100.5);
  expect(await event.read()).toMatchObject({ state: 'live' });
  expect((await api.send('GET', event.path)).headers['etag']).not.toBe(headers['etag']);
  expect((await api.send('GET', '/api/v1/events?state=published&limit=100')).text).not.toContain(event.id);
  expect(pointers(await event.patch({ starts_at: '2090-01-01T00:00:00Z' }))).toEqual(['/starts_at not_changeable']);
  expect((await event.act('cancel')).body).toMatchObject({ code: 'invalid_state' });
  await followClock();
  await shift(1);
  expect(await event.read()).toMatchObject({ state: 'ended' });
  await followClock();
  await followClock();
  expect(await names([event.id], 4)).toEqual(['created', 'published', 'started', 'ended']);
  const changed = await api.send('GET', `/api/v1/events?updated_at[gt]=${String(before['updated_at'])}&limit=100`);
  expect(changed.text).toContain(event.id);
  expect(pointers(await event.patch({ capacity: 5 }))).toEqual(['/capacity not_changeable']);
  // The clock is no edit: an editor who read the event before it may still write.
  const edited = await api.send('PATCH', event.path, {
    body: { name: 'Renamed' },
    headers: { 'if-match': headers['etag'] ?? '' },
  });
  expect(edited.status).toBe(200);
});

it('refuses to publish an event of the past, and to delete a published one', async () => {
  const past = await TestEvent.draft(api, { hours: -2 });
  expect(pointers(await past.act('publish'))).toEqual(['/ends_at too_small']);
  const event = await TestEvent.open(api);
  expect((await api.send('DELETE', event.path)).body).toMatchObject({ code: 'invalid_state' });
});

it('gives the places of an event, then its waiting list, and moves it up', async () => {
  const event = await TestEvent.open(api, { capacity: 2, waitlist: true });
  const [a = '', b = '', c = '', d = ''] = await newStudents(api, 4);
  const first = await event.registered(a);
  for (const student of [b, c, d]) await event.registered(student);
  expect(await event.states()).toEqual(['registered', 'registered', 'waitlisted', 'waitlisted']);
  expect(await event.read()).toMatchObject({ registrations_count: 2 });
  expect((await event.move(first.id, 'cancel')).body).toMatchObject({ state: 'canceled' });
  expect(await event.states()).toEqual(['canceled', 'registered', 'registered', 'waitlisted']);
  expect(await event.read()).toMatchObject({ registrations_count: 2 });
  expect((await event.patch({ capacity: 3 })).body).toMatchObject({ capacity: 3, registrations_count: 3 });
  expect(await event.states()).toEqual(['canceled', 'registered', 'registered', 'registered']);
  expect(pointers(await event.patch({ capacity: 2 }))).toEqual(['/capacity too_small']);
  // A student can register again after a cancellation, at the end of the list.
  expect((await event.registered(a))['state']).toBe('waitlisted');
  const full = await TestEvent.open(api, { capacity: 1 });
  await full.registered(a);
  expect(pointers(await full.register(b))).toEqual(['/ticket_id sold_out']);
});

it('registers a student once, and ignores the body of a second request', async () => {
  const event = await TestEvent.open(api);
  const [student = ''] = await newStudents(api, 1);
  const { id } = await event.registered(student, { source: 'import', external_id: 'badge-1' });
  const again = await event.register(student, { external_id: 'badge-2' });
  expect([again.status, again.body]).toMatchObject([200, { id, source: 'import', external_id: 'badge-1' }]);
  expect(await event.read()).toMatchObject({ registrations_count: 1 });
  expect(pointers(await event.register(randomUUID()))).toEqual(['/student_id not_found']);
  expect(pointers(await (await TestEvent.draft(api, {})).register(student))).toEqual([' invalid_state']);
});

it('cancels an event with its registrations, at its instant', async () => {
  const event = await TestEvent.open(api, { capacity: 1, waitlist: true });
  const ids: string[] = [];
  for (const student of await newStudents(api, 2)) ids.push((await event.registered(student)).id);
  const { body } = await event.act('cancel');
  expect(body).toMatchObject({ state: 'canceled', registrations_count: 0 });
  const [canceled] = (await api.events.of([event.id], 3)).slice(-1);
  expect(canceled).toMatchObject({ data: { state: 'canceled', canceled_at: body['canceled_at'] } });
  const sent = (await api.events.of(ids, 4)).slice(-2);
  expect(sent).toMatchObject(ids.map(() => ({ data: { state: 'canceled', canceled_at: body['canceled_at'] } })));
  expect((await event.move(ids[0] ?? '', 'check_in')).body).toMatchObject({ code: 'invalid_state' });
});

it('cancels and moves up many registrations in batches that the clock goes on with', async () => {
  const [students, guests] = [await newStudents(api, 450), await newStudents(api, 250)];
  const event = await TestEvent.open(api, { waitlist: true, capacity: 1 });
  const insert = (of: readonly string[], state: string) =>
    query(
      `insert into event_registrations (site_id, event_id, student_id, state) select $1, $2, unnest($3::uuid[]), $4`,
      [api.sites[0].site_id, event.id, of, state],
    );
  const count = async () => (await event.read())['registrations_count'];
  await insert(guests, 'waitlisted');
  await event.patch({ capacity: null });
  expect(await count()).toBe(200);
  // The list moves up before a student who registers meanwhile.
  const [late = ''] = await newStudents(api, 1);
  expect((await event.registered(late))['state']).toBe('waitlisted');
  await followClock();
  expect(await count()).toBe(251);
  await insert(students, 'registered');
  await query('update events set registrations_count = 701 where id = $1', [event.id]);
  await event.act('cancel');
  expect(await count()).toBe(501);
  for (let left = 501; left > 0; left -= 200) await followClock();
  expect(await count()).toBe(0);
  expect(await followClock()).toBe(0);
});

it('records who came from an hour before the start, and who did not from the start', async () => {
  const early = await TestEvent.open(api, { hours: 1.1 });
  const soon = await TestEvent.open(api, { hours: 0.9 });
  const live = await TestEvent.open(api, { hours: -0.5 });
  const [student = ''] = await newStudents(api, 1);
  const state = async (event: TestEvent, action: string): Promise<unknown> => {
    const { id } = (await event.register(student)).body;
    const { body } = await event.move(String(id), action);
    return body['code'] ?? [body['state'], body['checked_in_at'] !== null];
  };
  expect(await state(early, 'check_in')).toBe('invalid_state');
  expect(await state(soon, 'no_show')).toBe('invalid_state');
  expect(await state(soon, 'check_in')).toEqual(['checked_in', true]);
  expect(await state(live, 'no_show')).toEqual(['no_show', false]);
  expect(await state(live, 'check_in')).toEqual(['checked_in', true]);
  expect(await state(live, 'cancel')).toBe('invalid_state');
  expect(await state(live, 'no_show')).toEqual(['no_show', false]);
});

it('registers 200 students with as many statements as two, all or none', async () => {
  const event = await TestEvent.open(api, { capacity: 201 });
  const path = `${event.path}/registrations/bulk`;
  const register = async (count: number) => {
    const items = (await newStudents(api, count)).map((student_id) => ({ student_id }));
    const sent = await statementsOf(api, 'event_registrations_insert', async () => {
      const { body } = await api.send('POST', path, { body: { atomic: true, items } });
      expect(body).toMatchObject({ all_succeeded: true });
    });
    return sent.length;
  };
  const few = await register(1);
  expect(await register(200)).toBeLessThanOrEqual(few);
  const items = (await newStudents(api, 2)).map((student_id) => ({ student_id }));
  const { body } = await api.send('POST', path, { body: { atomic: true, items } });
  expect(body).toMatchObject({
    all_succeeded: false,
    results: [
      { status: 409, errors: [{ pointer: '/items/0/ticket_id', code: 'sold_out' }] },
      { status: 409, errors: [{ pointer: '/items/1/ticket_id', code: 'sold_out' }] },
    ],
  });
  expect(await event.read()).toMatchObject({ registrations_count: 201 });
});

describe('an order', () => {
  const sales = () => api.service.app.get(TicketSaleService, { strict: false });
  const site = () => ({ site_id: api.sites[0].site_id });
  const sale = (ticket_id: string, student_id: string, order_id: string = randomUUID()) => ({
    ticket_id,
    student_id,
    order_id,
    quantity: 1,
    at: new Date(),
  });
  const sell = ({ ticket_id, quantity, ...buyer }: ReturnType<typeof sale>): Promise<{ id: string }> =>
    run(async (tx) => {
      const each = <T>(_line: number, decide: () => T): T => decide();
      const [id = ''] = await sales().sell(site(), { ...buyer, each }, [{ ticket_id, quantity }], tx);
      return { id };
    });
  const refusal = async (given: ReturnType<typeof sale>): Promise<unknown> => {
    const error: unknown = await sell(given).catch((thrown: unknown) => thrown);
    if (!(error instanceof ApiError)) throw new Error(`It was not refused: ${String(error)}`);
    return [error.code, ...error.errors.map(({ pointer, code }) => `${pointer ?? ''} ${code}`)];
  };

  it('buys a place once, and gives it to the waiting list when it is taken back', async () => {
    const event = await TestEvent.open(api, { waitlist: true, capacity: 2 });
    const ticket = await event.ticket({ price: PRICE });
    const [buyer = '', guest = '', waiting = ''] = await newStudents(api, 3);
    const bought = sale(ticket, buyer);
    const { id } = await sell(bought);
    expect(await sell(bought)).toMatchObject({ id });
    const { body } = await api.send('GET', `${event.path}/registrations/${id}`);
    expect(body).toMatchObject({ state: 'registered', source: 'order', order_id: bought.order_id, ticket_id: ticket });
    const free = await event.registered(guest, { ticket_id: ticket });
    await event.registered(waiting, { ticket_id: ticket });
    await run((tx) => sales().takeBack(site(), { order_id: bought.order_id, ticket_id: randomUUID() }, tx));
    expect(await event.states()).toEqual(['registered', 'registered', 'waitlisted']);
    await run((tx) => sales().takeBack(site(), bought, tx));
    await run((tx) => sales().takeBack(site(), bought, tx));
    expect(await event.states()).toEqual(['canceled', 'registered', 'registered']);
    expect(await event.readTicket(ticket)).toMatchObject({ sold_count: 2 });
    expect(await names([id], 2)).toEqual(['registered', 'canceled']);
    expect((await api.send('GET', `${event.path}/registrations/${free.id}`)).body).toMatchObject({ source: 'manual' });
  });

  it('loses a place that was checked in with the cancellation of the event', async () => {
    const event = await TestEvent.open(api, { hours: 0.9 });
    const ticket = await event.ticket({ price: PRICE });
    const [buyer = ''] = await newStudents(api, 1);
    const bought = sale(ticket, buyer);
    const { id } = await sell(bought);
    expect((await event.move(id, 'check_in')).body).toMatchObject({ state: 'checked_in' });
    const { body } = await event.act('cancel');
    expect(body).toMatchObject({ state: 'canceled', registrations_count: 0 });
    expect(await event.readTicket(ticket)).toMatchObject({ sold_count: 0 });
    const [canceled] = (await api.events.of([id], 3)).slice(-1);
    const data = { state: 'canceled', checked_in_at: null, canceled_at: body['canceled_at'] };
    expect(canceled).toMatchObject({ type: 'school.event_registration.canceled.v1', data });
    expect((await api.send('GET', `${event.path}/registrations/${id}`)).body).toMatchObject(data);
    expect(await run((tx) => sales().takeBack(site(), bought, tx))).toBe(true);
  });

  it('gives a buyer on the waiting list a place, and refuses what cannot be bought', async () => {
    const event = await TestEvent.open(api, { waitlist: true });
    const [full, open] = [await event.ticket({ capacity: 1, price: PRICE }), await event.ticket({ price: PRICE })];
    const [a = '', b = '', c = ''] = await newStudents(api, 3);
    await event.registered(a, { ticket_id: full });
    const waiting = await event.registered(b, { ticket_id: full });
    expect(await refusal(sale(full, b))).toEqual(['invalid_state', '/item_id sold_out']);
    expect(await sell(sale(open, b))).toEqual({ id: waiting.id });
    expect(await event.states()).toEqual(['registered', 'registered']);
    expect([await event.readTicket(full), await event.readTicket(open)]).toMatchObject([
      { sold_count: 1 },
      { sold_count: 1 },
    ]);
    expect(await refusal(sale(open, a))).toEqual(['invalid_state', '/item_id already_exists']);
    expect(await refusal({ ...sale(open, c), quantity: 2 })).toEqual(['validation_failed', '/quantity invalid_value']);
    expect(await refusal(sale(randomUUID(), c))).toEqual(['not_found', '/item_id not_found']);
    await event.act('cancel');
    expect(await refusal(sale(open, c))).toEqual(['invalid_state', '/item_id invalid_state']);
  });
});

it('publishes the registrations of a student again when auth links them', async () => {
  const email = `${randomUUID()}@example.com`;
  const student = await api.send('POST', '/api/v1/students', { body: { email } });
  const event = await TestEvent.open(api);
  const { id } = await event.registered(String(student.body['id']));
  const person = { person_id: randomUUID(), member_id: randomUUID(), email, name: 'Mei Lin' };
  const data = { ...person, site_id: api.sites[0].site_id, roles: ['student' as const] };
  await api.events.sendRoles({ ...data, joined_at: '2026-11-20T08:00:00.000Z' }, 1);
  expect(
    (await api.events.of([id], 2)).map(({ type, data: { person_id } }) => [type.split('.')[2], person_id]),
  ).toEqual([
    ['registered', null],
    ['linked', person.person_id],
  ]);
});

it('registers students while the migration of another release adds a column', async () => {
  const event = await TestEvent.open(api);
  const students = await newStudents(api, 2);
  await event.registered(students[0] ?? '');
  await query('alter table event_registrations add column of_another_release int', []);
  expect(await event.registered(students[1] ?? '')).toMatchObject({ state: 'registered' });
  expect(await event.states()).toEqual(['registered', 'registered']);
});
