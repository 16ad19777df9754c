import { randomUUID } from 'node:crypto';
import { cancelRegistration, commandReplySchema, makeRegistration } from '@lyceum/contracts';
import { connectAs } from '@lyceum/testing';
import type { NatsConnection } from '@nats-io/transport-node';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { unique } from './new-course.js';
import { TestEvent, newStudents } from './new-events.js';

const COMMANDS = { make: makeRegistration, cancel: cancelRegistration } as const;
const replySchema = commandReplySchema(makeRegistration.output);

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

async function refusal(verb: keyof typeof COMMANDS, content: object): Promise<unknown[]> {
  const reply = await send(verb, content);
  if (reply.ok) throw new Error('The command was not refused');
  const { code, errors = [] } = reply.error;
  return [code, ...errors.map(({ pointer }) => pointer)];
}

it('registers a student for a free event and cancels it, and logs it by the program', async () => {
  const external_id = unique('evening');
  const event = await TestEvent.open(api, { external_id, capacity: 1, waitlist: true });
  const [one = '', two = ''] = await newStudents(api, 2);
  const wanted = { student: { id: one }, event: { external_id } };
  const made = await result('make', wanted);
  expect(made).toMatchObject({ event_id: event.id, ticket_id: null, state: 'registered' });
  expect(await result('make', wanted)).toEqual(made);
  const second = await result('make', { ...wanted, student: { id: two } });
  expect(second.state).toBe('waitlisted');
  const registration = { id: made.registration_id };
  expect(await result('cancel', { student: { id: one }, registration })).toMatchObject({ state: 'canceled' });
  expect(await event.states()).toEqual(['canceled', 'registered']);
  const events = await api.events.of([made.registration_id], 2);
  expect(events.map(({ type }) => type.split('.')[2])).toEqual(['registered', 'canceled']);
  for (const { actor } of events) expect(actor).toMatchObject({ client_id: 'storefront', via: 'command' });
  const { body } = await api.send('GET', `${event.path}/registrations/${made.registration_id}`);
  expect(body).toMatchObject({ source: 'free', student_id: one });
});

it('refuses a ticket with a price, and accepts a free one', async () => {
  const event = await TestEvent.open(api);
  const external_id = unique('seat');
  const [free, paid] = [
    await event.ticket({ external_id }),
    await event.ticket({ price: { amount_minor: 1, currency: 'TWD' } }),
  ];
  const [student = ''] = await newStudents(api, 1);
  const wanted = { student: { id: student }, event: { id: event.id } };
  expect(await refusal('make', { ...wanted, ticket: { id: paid } })).toEqual(['invalid_state', '/ticket']);
  expect(await refusal('make', wanted)).toEqual(['validation_failed', '/ticket']);
  expect(await result('make', { ...wanted, ticket: { external_id } })).toMatchObject({ ticket_id: free });
});

it('refuses objects of others, and an event that is over, full or has begun', async () => {
  const [one = '', two = ''] = await newStudents(api, 2);
  const event = await TestEvent.open(api, { capacity: 1 });
  const other = await TestEvent.open(api);
  const elsewhere = await other.ticket();
  const wanted = { student: { id: one }, event: { id: event.id } };
  expect(await refusal('make', { ...wanted, ticket: { id: elsewhere } })).toEqual(['not_found', '/ticket']);
  expect((await refusal('make', { ...wanted, event: { id: randomUUID() } }))[0]).toBe('not_found');
  expect((await refusal('make', { ...wanted, student: { id: randomUUID() } }))[0]).toBe('not_found');
  const { registration_id: id } = await result('make', wanted);
  expect(await refusal('make', { ...wanted, student: { id: two } })).toEqual(['invalid_state', '/ticket']);
  const cancel = { student: { id: two }, registration: { id } };
  expect(await refusal('cancel', cancel)).toEqual(['not_found', '/registration']);
  const live = await TestEvent.open(api, { hours: -0.5 });
  const begun = await result('make', { ...wanted, event: { id: live.id } });
  const late = { student: { id: one }, registration: { id: begun.registration_id } };
  expect((await refusal('cancel', late))[0]).toBe('invalid_state');
});
