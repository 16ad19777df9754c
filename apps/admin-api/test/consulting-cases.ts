import type { Cases, CreateOther, Json } from '@lyceum/collections/conventions';
import { TEACHER, scopesOf } from './course-cases.js';
import { student } from './student-body.js';

const NONE = '019ab3c0-0000-7000-8000-000000000000';
const SERVICES = '/api/v1/consulting_services';

const service = (unique: string): Json => ({
  slug: unique,
  name: `Service ${unique}`,
  sessions_included: 3,
  price: { amount_minor: 100, currency: 'TWD' },
  external_id: unique,
});

const services: Cases = {
  create: service,
  patch: { name: 'Renamed', duration_minutes: 90, price: { amount_minor: 200 }, metadata: { a: 'b' } },
  unique: ['slug', 'external_id'],
  readOnly: ['state', 'published_at'],
  states: {
    member: 'state',
    initial: 'draft',
    moves: {
      publish: { draft: 'published', unpublished: 'published' },
      unpublish: { published: 'unpublished' },
      archive: { unpublished: 'archived' },
    },
    sealed: ['archived'],
  },
  search: ({ slug }) => String(slug),
  filters: {
    state: [({ state }) => state, 'archived'],
    external_id: [({ external_id }) => external_id, 'none'],
  },
  scopes: scopesOf('consulting_services', 'courses', ['publish', 'unpublish', 'archive']),
  fenced: TEACHER,
};

/** Returns the scope of each operation of a collection that uses the scope of another one. */
const scopesBelow = (list: string, id: string, scope: string, writes: readonly string[]): Record<string, string> => {
  const one = `${list}/{${id}}`;
  return Object.fromEntries([
    ...[`GET ${list}`, `GET ${one}`].map((read) => [read, `${scope}:read`]),
    ...writes.map((write) => [write.replace('{}', one).replace('[]', list), `${scope}:write`]),
  ]) as Record<string, string>;
};

let days = 0;
/** A session of a past day, so that its attendance is known. */
const slot = (unique: string): Json => {
  const starts_at = new Date(Date.UTC(2020, 0, (days += 1), 10)).toISOString();
  return { starts_at, ends_at: starts_at.replace('T10', 'T11'), capacity: 1000, external_id: unique };
};

const slots: Cases = {
  create: slot,
  patch: { capacity: 20, location: 'Room 1', metadata: { a: 'b' } },
  table: 'consulting_slots',
  unique: ['external_id'],
  readOnly: ['consulting_service_id', 'booked_count', 'state'],
  states: {
    member: 'state',
    initial: 'open',
    moves: { cancel: { open: 'canceled', canceled: 'canceled' } },
    sealed: ['canceled'],
  },
  filters: {
    state: [({ state }) => state, 'canceled'],
    lecturer_id: [({ lecturer_id }) => lecturer_id, NONE],
    external_id: [({ external_id }) => external_id, 'none'],
  },
  parent: {
    collection: 'consulting_services',
    make: async (unique, other) => {
      const { id } = await other('/api/v1/lecturers', { slug: unique, name: 'Mei Lin' });
      return String((await other(SERVICES, { ...service(unique), lecturer_ids: [id] }))['id']);
    },
  },
  scopes: scopesBelow(`${SERVICES}/{consulting_service_id}/slots`, 'slot_id', 'courses', [
    'POST []',
    'POST []/bulk',
    'PATCH {}',
    'POST {}/cancel',
  ]),
  fenced: TEACHER,
};

const purchase = async (unique: string, other: CreateOther): Promise<Json> => ({
  student_id: (await other('/api/v1/students', student(unique)))['id'],
  sessions_total: 100,
  external_id: unique,
});

const purchases: Cases = {
  create: purchase,
  patch: { expires_at: '2099-01-01T00:00:00.000Z', sessions_total: 7, metadata: { a: 'b' } },
  table: 'consulting_purchases',
  unique: ['external_id'],
  readOnly: ['consulting_service_id', 'state', 'purchased_at', 'sessions_used', 'sessions_remaining'],
  fixed: ['student_id'],
  derived: ['purchased_at', 'sessions_remaining'],
  states: {
    member: 'state',
    initial: 'active',
    moves: { revoke: { active: 'revoked', revoked: 'revoked' } },
    sealed: ['revoked'],
  },
  filters: {
    student_id: [({ student_id }) => student_id, NONE],
    external_id: [({ external_id }) => external_id, 'none'],
  },
  parent: { collection: 'consulting_services', create: service },
  personal: true,
  scopes: scopesBelow(`${SERVICES}/{consulting_service_id}/purchases`, 'purchase_id', 'students', [
    'POST []',
    'PATCH {}',
    'POST {}/revoke',
  ]),
  fenced: TEACHER,
};

/** The consulting service of each slot, by slot id. */
const serviceOf = new Map<string, string>();
const newSlot = async (unique: string, other: CreateOther, service_id: string): Promise<string> => {
  const id = String((await other(`${SERVICES}/${service_id}/slots`, slot(unique)))['id']);
  serviceOf.set(id, service_id);
  return id;
};
const bookings = '/api/v1/slots/{slot_id}/bookings';
const move = 'POST /api/v1/slots/{slot_id}/bookings/{booking_id}/move';

const slotBookings: Cases = {
  create: async (unique, other, slot_id) => {
    const body = await purchase(unique, other);
    const made = await other(`${SERVICES}/${serviceOf.get(slot_id) ?? ''}/purchases`, body);
    return { purchase_id: made['id'], external_id: unique };
  },
  patch: { metadata: { a: 'b' } },
  unique: ['external_id'],
  fixed: ['purchase_id'],
  table: 'consulting_bookings',
  readOnly: ['slot_id', 'consulting_service_id', 'student_id', 'state', 'starts_at', 'ends_at', 'session_returned'],
  derived: ['canceled_at'],
  states: {
    member: 'state',
    initial: 'scheduled',
    moves: {
      complete: { scheduled: 'completed', completed: 'completed', no_show: 'completed' },
      no_show: { scheduled: 'no_show', no_show: 'no_show', completed: 'no_show' },
      cancel: { scheduled: 'canceled', canceled: 'canceled' },
    },
  },
  bodies: {
    move: async (unique, other, slot_id) => ({
      to_slot_id: await newSlot(unique, other, serviceOf.get(slot_id) ?? ''),
    }),
  },
  filters: {
    state: [({ state }) => state, 'no_show'],
    external_id: [({ external_id }) => external_id, 'none'],
  },
  parent: {
    collection: 'slots',
    make: async (unique, other) => newSlot(unique, other, String((await other(SERVICES, service(unique)))['id'])),
  },
  personal: true,
  scopes: scopesBelow(bookings, 'booking_id', 'students', [
    'POST []',
    'PATCH {}',
    ...['move', 'cancel', 'complete', 'no_show'].map((action) => `POST {}/${action}`),
  ]),
  exempt: [
    // It also counts at its purchase: consulting-bookings.spec.ts has both events.
    `publishes exactly one event, and logs it once, with its actor: POST ${bookings}`,
    'answers a tool call as the REST API does: create_booking',
    // A booking that has moved is below another slot.
    `returns the entity tag that the object has: ${move}`,
    'answers a tool call as the REST API does: move_booking',
  ],
  fenced: TEACHER,
};

/** Facts of consulting. */
export const consultingCases: Readonly<Record<string, Cases>> = {
  consulting_services: services,
  'consulting_services/slots': slots,
  'consulting_services/purchases': purchases,
  'slots/bookings': slotBookings,
};
