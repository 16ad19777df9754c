import type { Cases, CreateOther, Json } from '@lyceum/collections/conventions';
import { api } from './convention-target.js';
import { student } from './student-body.js';
import { ADMINISTRATORS } from './unfenced.js';

const NONE = '019ab3c0-0000-7000-8000-000000000000';
const EVENTS = '/api/v1/events';

const event = (unique: string): Json => ({
  slug: unique,
  name: `Event ${unique}`,
  hosting_type: 'zoom',
  join_url: 'https://meet.example.com/a',
  starts_at: '2090-01-01T00:00:00Z',
  ends_at: '2090-01-01T01:00:00Z',
  external_id: unique,
});

const events: Cases = {
  create: event,
  patch: { name: 'Renamed', description_html: '<p>New</p>', metadata: { a: 'b' } },
  unique: ['slug', 'external_id'],
  readOnly: ['state', 'registrations_count', 'tickets', 'published_at', 'canceled_at'],
  derived: ['canceled_at'],
  states: {
    member: 'state',
    initial: 'draft',
    moves: { publish: { draft: 'published' }, cancel: { published: 'canceled', canceled: 'canceled' } },
  },
  search: ({ slug }) => String(slug),
  filters: {
    state: [({ state }) => state, 'ended'],
    external_id: [({ external_id }) => external_id, 'none'],
  },
  unfenced: ADMINISTRATORS,
};

const ticket = (unique: string): Json => ({
  name: `Seat ${unique}`,
  price: { amount_minor: 100, currency: 'TWD' },
  external_id: unique,
});

const tickets: Cases = {
  create: async (unique, _other, event_id) => {
    // An event has at most 20 tickets, and the matrix adds more to one event.
    await api.query(
      `delete from event_tickets where event_id = $1 and id not in (
         select id from event_tickets where event_id = $1 order by created_at desc, id desc limit 15)`,
      [event_id],
    );
    return ticket(unique);
  },
  patch: { name: 'Renamed', price: { amount_minor: 200 }, capacity: 20, metadata: { a: 'b' } },
  table: 'event_tickets',
  unique: ['external_id'],
  readOnly: ['event_id', 'sold_count'],
  filters: { external_id: [({ external_id }) => external_id, 'none'] },
  parent: { collection: 'events', create: event },
  scopes: scopesBelow('tickets', 'ticket_id', ['POST []', 'PATCH {}', 'DELETE {}']),
  unfenced: ADMINISTRATORS,
};

/** The ticket of each event, by event id. */
const ticketOf = new Map<string, string>();

/** An event that has begun, so that attendance is known. */
const liveEvent = async (unique: string, other: CreateOther): Promise<string> => {
  const id = String((await other(EVENTS, { ...event(unique), starts_at: '2020-01-01T00:00:00Z' }))['id']);
  ticketOf.set(id, String((await other(`${EVENTS}/${id}/tickets`, ticket(unique)))['id']));
  await other(`${EVENTS}/${id}/publish`, {});
  return id;
};

const registration = async (unique: string, other: CreateOther, event_id: string): Promise<Json> => ({
  student_id: (await other('/api/v1/students', student(unique)))['id'],
  ticket_id: ticketOf.get(event_id),
  external_id: unique,
});

const registrations: Cases = {
  create: registration,
  item: registration,
  patch: (unique) => ({ external_id: unique, metadata: { a: 'b' } }),
  table: 'event_registrations',
  unique: ['external_id'],
  distinct: ['student_id'],
  readOnly: ['event_id', 'member_id', 'state', 'order_id', 'registered_at', 'checked_in_at', 'canceled_at'],
  fixed: ['ticket_id', 'student_id', 'source'],
  derived: ['registered_at', 'checked_in_at', 'canceled_at'],
  states: {
    member: 'state',
    initial: 'registered',
    moves: {
      check_in: { registered: 'checked_in', checked_in: 'checked_in', no_show: 'checked_in' },
      no_show: { registered: 'no_show', no_show: 'no_show', checked_in: 'no_show' },
      cancel: { registered: 'canceled', canceled: 'canceled' },
    },
  },
  filters: {
    state: [({ state }) => state, 'waitlisted'],
    student_id: [({ student_id }) => student_id, NONE],
    ticket_id: [({ ticket_id }) => ticket_id, NONE],
    external_id: [({ external_id }) => external_id, 'none'],
  },
  parent: { collection: 'events', make: liveEvent },
  personal: true,
  scopes: scopesBelow('registrations', 'registration_id', [
    'POST []',
    'POST []/bulk',
    'PATCH {}',
    ...['cancel', 'check_in', 'no_show'].map((action) => `POST {}/${action}`),
  ]),
  unfenced: ADMINISTRATORS,
};

/** Returns the scope of each operation of a collection below events. */
function scopesBelow(name: string, id: string, writes: readonly string[]): Record<string, string> {
  const list = `${EVENTS}/{event_id}/${name}`;
  const one = `${list}/{${id}}`;
  return Object.fromEntries([
    ...[`GET ${list}`, `GET ${one}`].map((read) => [read, 'events:read']),
    ...writes.map((write) => [write.replace('{}', one).replace('[]', list), 'events:write']),
  ]) as Record<string, string>;
}

/** Facts of events. */
export const eventCases: Readonly<Record<string, Cases>> = {
  events,
  'events/tickets': tickets,
  'events/registrations': registrations,
};
