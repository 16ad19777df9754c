import { randomUUID } from 'node:crypto';
import { cancelBooking, commandReplySchema, makeBooking, moveBooking } from '@lyceum/contracts';
import { connectAs } from '@lyceum/testing';
import type { NatsConnection } from '@nats-io/transport-node';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { Consulting, newStudent } from './consulting.js';
import { untilBlocked, withDatabase } from './database.js';

const COMMANDS = { make: makeBooking, move: moveBooking, cancel: cancelBooking } as const;
const replySchema = commandReplySchema(makeBooking.output);

let api: TestApi;
let storefront: NatsConnection;
beforeAll(async () => {
  api = await startAdminApi();
  storefront = await connectAs(api.nats.environment('storefront'));
});
afterAll(async () => {
  await storefront?.close();
  await api.stop();
});

async function send(verb: keyof typeof COMMANDS, content: object) {
  const command = { idempotency_key: randomUUID(), site: api.sites[0].org_id, ...content };
  const reply = await storefront.request(COMMANDS[verb].subject, JSON.stringify(command), { timeout: 30_000 });
  return replySchema.parse(reply.json());
}

async function result(verb: keyof typeof COMMANDS, content: object) {
  const reply = await send(verb, content);
  if (!reply.ok) throw new Error(JSON.stringify(reply.error));
  return reply.result;
}

async function refusal(verb: keyof typeof COMMANDS, content: object): Promise<string> {
  const reply = await send(verb, content);
  if (reply.ok) throw new Error('The command was not refused');
  return reply.error.code;
}

/** Creates a purchase of a student, and slots that start after these numbers of hours. */
async function stage(...hours: number[]) {
  const consulting = await Consulting.open(api, { cancel_notice_hours: 24 });
  const { id, student_id } = await consulting.purchase();
  const slots: string[] = [];
  for (const one of hours) slots.push((await consulting.slot(one)).id);
  const [slot = '', other = ''] = slots;
  const student = { id: student_id };
  return {
    consulting,
    purchase_id: id,
    student,
    slot,
    other,
    wanted: { student, purchase: { id }, slot: { id: slot } },
  };
}

it('books, moves and cancels a session of a student, and logs it by the program', async () => {
  const { consulting, student, purchase_id, slot, other, wanted } = await stage(100, 101);
  const made = await result('make', wanted);
  expect(made).toMatchObject({ slot_id: slot, purchase_id, state: 'scheduled', session_returned: false });
  const booking = { id: made.booking_id };
  expect(await result('move', { student, booking, slot: { id: other } })).toMatchObject({ slot_id: other });
  expect(await result('cancel', { student, booking })).toMatchObject({ state: 'canceled', session_returned: true });
  expect(await consulting.readPurchase(purchase_id)).toMatchObject({ sessions_used: 0 });
  const events = await api.events.of([made.booking_id], 3);
  expect(events.map(({ type }) => type.split('.')[2])).toEqual(['booked', 'moved', 'canceled']);
  for (const { id, actor } of events) {
    expect(actor).toMatchObject({ member_id: null, client_id: 'storefront', via: 'command' });
    const { body } = await api.send<{ data: { id: string }[] }>('GET', `/api/v1/activity?object_id=${made.booking_id}`);
    expect(body.data.map((entry) => entry.id)).toContain(id);
  }
});

it('books once per key', async () => {
  const { consulting, wanted, slot } = await stage(100);
  const command = { ...wanted, idempotency_key: randomUUID() };
  const first = await result('make', command);
  expect(await result('make', command)).toEqual(first);
  expect(await consulting.readSlot(slot)).toMatchObject({ booked_count: 1 });
});

it('finds the student, the purchase and the slot by the ids of the school', async () => {
  const { consulting, purchase_id, student, slot } = await stage(100);
  const external_id = randomUUID();
  await api.send('PATCH', `${consulting.path}/purchases/${purchase_id}`, { body: { external_id } });
  await api.send('PATCH', `${consulting.path}/slots/${slot}`, { body: { external_id } });
  const { body } = await api.send('GET', `/api/v1/students/${student.id}`);
  const named = { student: { external_id: body['external_id'] }, purchase: { external_id }, slot: { external_id } };
  expect(await result('make', named)).toMatchObject({ slot_id: slot, purchase_id });
});

it('refuses a session that has begun, and a move or a return without the notice', async () => {
  const { consulting, wanted, student, slot, other } = await stage(23, 100);
  const begun = await consulting.slot(-1);
  expect(await refusal('make', { ...wanted, slot: { id: begun.id } })).toBe('invalid_state');
  const { booking_id } = await result('make', wanted);
  const booking = { id: booking_id };
  expect(await refusal('move', { student, booking, slot: { id: other } })).toBe('invalid_state');
  expect(await result('cancel', { student, booking })).toMatchObject({ slot_id: slot, session_returned: false });
  const held = await consulting.booked(begun.id, (await consulting.purchase()).id);
  const { body } = await api.send('GET', `/api/v1/slots/${begun.id}/bookings/${held}`);
  const late = { student: { id: body['student_id'] }, booking: { id: held } };
  expect(await refusal('cancel', late)).toBe('invalid_state');
});

it('refuses what belongs to another student, and what the site does not have', async () => {
  const { wanted, student } = await stage(100);
  const stranger = { id: await newStudent(api) };
  expect(await refusal('make', { ...wanted, student: stranger })).toBe('not_found');
  const { booking_id } = await result('make', wanted);
  const booking = { id: booking_id };
  expect(await refusal('cancel', { student: stranger, booking })).toBe('not_found');
  expect(await refusal('cancel', { student, booking, site: api.sites[1].org_id })).toBe('not_found');
  expect(await refusal('make', { ...wanted, slot: { id: randomUUID() } })).toBe('not_found');
});

/** Sends a request about a booking, which another transaction moves to the other slot before the request locks it. */
async function afterMove<T>({ id, slot, other }: { id: string; slot: string; other: string }, send: () => Promise<T>) {
  return withDatabase(api.databaseUrl, async (client) => {
    await client.query('begin');
    const count = 'update consulting_slots set booked_count = booked_count + $2 where id = $1';
    await client.query(count, [slot, -1]);
    await client.query(count, [other, 1]);
    const move = 'update consulting_bookings set slot_id = $2, version = version + 1 where id = $1';
    await client.query(move, [id, other]);
    const response = send();
    await untilBlocked(client);
    await client.query('commit');
    return response;
  });
}

it('cancels and moves a booking that another transaction moves at the same time', async () => {
  const { consulting, student, purchase_id, slot, other, wanted } = await stage(100, 101);
  const { booking_id: id } = await result('make', wanted);
  const booking = { id };
  const back = () => result('move', { student, booking, slot: { id: slot } });
  expect(await afterMove({ id, slot, other }, back)).toMatchObject({ slot_id: slot, state: 'scheduled' });
  const cancel = () => result('cancel', { student, booking });
  expect(await afterMove({ id, slot, other }, cancel)).toMatchObject({ slot_id: other, state: 'canceled' });
  for (const one of [slot, other]) expect(await consulting.readSlot(one)).toMatchObject({ booked_count: 0 });
  expect(await consulting.readPurchase(purchase_id)).toMatchObject({ sessions_used: 0 });
});

it('finds a booking that is moved at the same time by its own id, and not below its former slot', async () => {
  const { slot, other, wanted } = await stage(100, 101);
  const { booking_id: id } = await result('make', wanted);
  const cancel = (path: string) => () => api.send('POST', `${path}/${id}/cancel`);
  const [below, byId] = [`/api/v1/slots/${slot}/bookings`, '/api/v1/consulting_bookings'];
  expect((await afterMove({ id, slot, other }, cancel(below))).status).toBe(404);
  const canceled = await afterMove({ id, slot: other, other: slot }, cancel(byId));
  expect([canceled.status, canceled.body]).toMatchObject([200, { slot_id: slot, state: 'canceled' }]);
});
