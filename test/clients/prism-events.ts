import type { ValidationProxy } from './validation-proxy.js';

/** Sends every operation of events, tickets and registrations through Prism, also in a dry run. */
export async function useEvents(proxy: ValidationProxy, unique: string): Promise<void> {
  const times = { starts_at: '2020-01-01T10:00:00Z', ends_at: '2090-01-01T10:00:00Z' };
  const body = { name: 'By Prism', slug: `event-${unique}`, hosting_type: 'zoom', ...times };
  const { id } = await proxy.write('createEvent', 201, { body });
  const path = { id, external_id: body.slug, event_id: id };
  await proxy.write('putEvent', 201, { path, body: { ...body, slug: `put-event-${unique}` } });
  await proxy.write('updateEvent', 200, { path, body: { capacity: 40 } });
  const ticket = { name: 'Seat', price: { amount_minor: 100, currency: 'TWD' } };
  const { id: ticket_id } = await proxy.write('createEventTicket', 201, { path, body: ticket });
  const of = { ...path, ticket_id };
  await proxy.write('updateEventTicket', 200, { path: of, body: { capacity: 20 } });
  await proxy.list('listEventTickets', { path });
  await proxy.get('getEventTicket', { path: of });
  const spare = await proxy.send('createEventTicket', 201, { path, body: ticket });
  await proxy.write('deleteEventTicket', 204, { path: { ...path, ticket_id: spare.id } });
  await proxy.write('publishEvent', 200, { path });

  const guest = async (name: string): Promise<string> => {
    const made = await proxy.send('createStudent', 201, { body: { email: `${name}-${unique}@example.com` } });
    return made.id;
  };
  const item = { student_id: await guest('guest'), ticket_id };
  const { id: registration_id } = await proxy.write('registerStudent', 201, { path, body: item });
  const registered = { ...path, registration_id };
  const items = [item, { student_id: await guest('second'), ticket_id }];
  await proxy.write('registerStudents', 200, { path, body: { atomic: true, items } });
  await proxy.write('updateEventRegistration', 200, { path: registered, body: { metadata: { badge: '1' } } });
  await proxy.list('listEventRegistrations', { path });
  await proxy.get('getEventRegistration', { path: registered });
  for (const attended of ['checkInRegistration', 'missRegistration']) {
    await proxy.write(attended, 200, { path: registered });
  }
  const third = { student_id: await guest('third'), ticket_id };
  const canceled = await proxy.send('registerStudent', 201, { path, body: third });
  await proxy.write('cancelEventRegistration', 200, { path: { ...path, registration_id: canceled.id } });

  const later = { ...body, slug: `later-${unique}`, starts_at: '2089-01-01T10:00:00Z' };
  const planned = await proxy.send('createEvent', 201, { body: later });
  await proxy.send('publishEvent', 200, { path: planned });
  await proxy.write('cancelEvent', 200, { path: planned });
  const gone = await proxy.send('createEvent', 201, { body: { ...later, slug: `gone-event-${unique}` } });
  await proxy.write('deleteEvent', 204, { path: gone });
}
