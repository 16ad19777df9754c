import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';
import { externalIdOfObject } from './command-values.js';
import { HOSTING_TYPES } from './learning-events.js';

/** A consulting service, in whose sessions a lecturer advises members. Events omit its price. */
export const consultingServiceEvents = defineEntityEvents({
  context: 'school',
  entity: 'consulting_service',
  version: 1,
  names: ['created', 'updated', 'published', 'unpublished', 'archived', 'deleted', 'republished'],
  data: z.object({
    consulting_service_id: z.uuid(),
    site_id: z.uuid(),
    external_id: externalIdOfObject,
    slug: z.string(),
    name: z.string(),
    image_url: z.string().nullable(),
    state: z.enum(['draft', 'published', 'unpublished', 'archived', 'deleted']),
    /** The first lecturer. Null: none. */
    lecturer: z.object({ lecturer_id: z.uuid(), name: z.string() }).nullable(),
    lecturer_ids: z.array(z.uuid()),
    /** IANA time zone of the offered sessions. */
    timezone: z.string(),
    duration_minutes: z.int().positive(),
    /** Sessions of one purchase. */
    sessions_included: z.int().positive(),
    hosting_type: z.enum(HOSTING_TYPES),
    /** Location as text; null for online sessions. */
    location: z.string().nullable(),
  }),
});

/** A session of a service at one time, for one member or a group. */
export const consultingSlotEvents = defineEntityEvents({
  context: 'school',
  entity: 'consulting_slot',
  version: 1,
  names: ['created', 'updated', 'canceled', 'republished'],
  data: z.object({
    slot_id: z.uuid(),
    site_id: z.uuid(),
    consulting_service_id: z.uuid(),
    /** Null without a lecturer. */
    lecturer_id: z.uuid().nullable(),
    starts_at: instantSchema,
    ends_at: instantSchema,
    capacity: z.int().positive(),
    state: z.enum(['open', 'canceled']),
  }),
});

/** Purchased sessions, without order data. `person_id` is null until the buyer is linked. */
export const consultingPurchaseEvents = defineEntityEvents({
  context: 'school',
  entity: 'consulting_purchase',
  version: 1,
  names: ['granted', 'updated', 'extended', 'revoked', 'linked', 'republished'],
  data: z.object({
    purchase_id: z.uuid(),
    site_id: z.uuid(),
    person_id: z.uuid().nullable(),
    consulting_service_id: z.uuid(),
    /** The state at the publication of the event. An active purchase ends at `expires_at`. */
    state: z.enum(['active', 'expired', 'revoked']),
    purchased_at: instantSchema,
    /** Null: the sessions never expire. */
    expires_at: instantSchema.nullable(),
    sessions_total: z.int().nonnegative(),
    /** Sessions used, as the school counts them: a late cancellation may count. */
    sessions_used: z.int().nonnegative(),
  }),
});

/** One booked session of a purchase. */
export const consultingBookingEvents = defineEntityEvents({
  context: 'school',
  entity: 'consulting_booking',
  version: 1,
  names: ['booked', 'moved', 'updated', 'completed', 'missed', 'canceled', 'linked', 'republished'],
  data: z.object({
    booking_id: z.uuid(),
    site_id: z.uuid(),
    slot_id: z.uuid(),
    purchase_id: z.uuid(),
    consulting_service_id: z.uuid(),
    /** Null until the buyer is linked. */
    person_id: z.uuid().nullable(),
    starts_at: instantSchema,
    ends_at: instantSchema,
    state: z.enum(['scheduled', 'completed', 'no_show', 'canceled']),
    /** Only for the member who booked it, while it is scheduled. */
    join_url: z.string().nullable(),
  }),
});
