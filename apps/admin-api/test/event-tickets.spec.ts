import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { TestEvent, newStudents, pointers } from './new-events.js';

const PRICE = { amount_minor: 20_000, currency: 'TWD' };

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

it('sells tickets within their own capacity, and keeps one that was sold', async () => {
  const event = await TestEvent.open(api, { waitlist: true });
  const [few, many] = [await event.ticket({ capacity: 1, price: PRICE }), await event.ticket({ name: 'Stand' })];
  const [a = '', b = '', c = ''] = await newStudents(api, 3);
  expect(pointers(await event.register(a))).toEqual(['/ticket_id required']);
  const first = await event.registered(a, { ticket_id: few });
  expect((await event.registered(b, { ticket_id: few }))['state']).toBe('waitlisted');
  expect((await event.registered(c, { ticket_id: many }))['state']).toBe('registered');
  expect(await event.read()).toMatchObject({
    registrations_count: 2,
    tickets: [
      { id: few, position: 1 },
      { id: many, position: 2 },
    ],
  });
  const remove = (id: string) => api.send('DELETE', `${event.path}/tickets/${id}`);
  expect((await remove(few)).body).toMatchObject({ code: 'resource_in_use' });
  await event.move(first.id, 'cancel');
  expect(await event.states()).toEqual(['canceled', 'registered', 'registered']);
  expect([await event.readTicket(few), await event.readTicket(many)]).toMatchObject([
    { sold_count: 1 },
    { sold_count: 1 },
  ]);
  const unsold = await event.ticket({ name: 'Balcony' });
  expect((await remove(unsold)).status).toBe(204);
});

it('gives more places of a ticket to the waiting list at once', async () => {
  const event = await TestEvent.open(api, { waitlist: true });
  const ticket = await event.ticket({ capacity: 1 });
  for (const student of await newStudents(api, 3)) await event.registered(student, { ticket_id: ticket });
  const path = `${event.path}/tickets/${ticket}`;
  expect((await api.send('PATCH', path, { body: { capacity: 2 } })).body).toMatchObject({ capacity: 2, sold_count: 2 });
  expect(await event.states()).toEqual(['registered', 'registered', 'waitlisted']);
  const { body } = await api.send('PATCH', path, { body: { capacity: 1 } });
  expect(body).toMatchObject({ code: 'invalid_state' });
});

it('keeps tickets in the currency of the school, and at most 20', async () => {
  await api.send('PATCH', '/api/v1/school', { body: { currency: 'TWD' } });
  const event = await TestEvent.draft(api, {});
  const post = (body: object) => api.send('POST', `${event.path}/tickets`, { body });
  const refused = await post({ name: 'Seat', price: { amount_minor: 1, currency: 'EUR' } });
  expect(pointers(refused)).toEqual(['/price/currency invalid_value']);
  for (let count = 0; count < 20; count += 1) await event.ticket();
  expect((await post({ name: 'Seat', price: PRICE })).body).toMatchObject({ code: 'invalid_state' });
});

it('publishes the names of tickets with their event', async () => {
  const event = await TestEvent.draft(api, {});
  const [one, other] = [await event.ticket(), await event.ticket({ name: 'Stand' })];
  await api.send('PATCH', `${event.path}/tickets/${one}`, { body: { name: 'Box' } });
  // The events of the draft, of its tickets and of the change.
  expect((await api.events.of([event.id], 4)).at(-1)).toMatchObject({
    type: 'school.event.updated.v1',
    data: {
      tickets: [
        { ticket_id: one, name: 'Box' },
        { ticket_id: other, name: 'Stand' },
      ],
    },
  });
});
