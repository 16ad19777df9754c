import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';

export const consultingServiceEvents = defineEntityEvents({
  context: 'school',
  entity: 'consulting_service',
  version: 1,
  names: ['created', 'updated', 'published', 'unpublished', 'archived', 'deleted', 'republished'],
  data: z.object({
    consulting_service_id: z.uuid(),
    site_id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    state: z.enum(['draft', 'published', 'unpublished', 'archived', 'deleted']),
    /** Null while nobody gives it. */
    lecturer: z.object({ lecturer_id: z.uuid(), name: z.string() }).nullable(),
    /** IANA name of the zone in which the sessions are offered. */
    timezone: z.string(),
  }),
});

/** Sessions that somebody has. It says nothing of an order. `person_id` is null until the buyer is linked. */
export const consultingPurchaseEvents = defineEntityEvents({
  context: 'school',
  entity: 'consulting_purchase',
  version: 1,
  names: ['granted', 'updated', 'extended', 'expired', 'revoked', 'linked', 'republished'],
  data: z.object({
    purchase_id: z.uuid(),
    site_id: z.uuid(),
    person_id: z.uuid().nullable(),
    consulting_service_id: z.uuid(),
    state: z.enum(['active', 'expired', 'revoked']),
    purchased_at: instantSchema,
    /** Null means that the sessions can be booked for life. */
    expires_at: instantSchema.nullable(),
    sessions_total: z.int().nonnegative(),
    /** The school decides what uses a session up: a late cancellation may. */
    sessions_used: z.int().nonnegative(),
  }),
});

/** One booked session of a purchase. */
export const consultingMeetingEvents = defineEntityEvents({
  context: 'school',
  entity: 'consulting_meeting',
  version: 1,
  names: ['booked', 'rescheduled', 'updated', 'completed', 'missed', 'canceled', 'linked', 'republished'],
  data: z.object({
    meeting_id: z.uuid(),
    site_id: z.uuid(),
    purchase_id: z.uuid(),
    consulting_service_id: z.uuid(),
    /** Null until the buyer is linked. */
    person_id: z.uuid().nullable(),
    starts_at: instantSchema,
    ends_at: instantSchema,
    state: z.enum(['scheduled', 'completed', 'no_show', 'canceled']),
    /** For the one who booked it, while it is scheduled. */
    join_url: z.string().nullable(),
  }),
});
