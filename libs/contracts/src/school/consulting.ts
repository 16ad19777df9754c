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
    /** Null without a lecturer. */
    lecturer: z.object({ lecturer_id: z.uuid(), name: z.string() }).nullable(),
    /** IANA time zone of the offered sessions. */
    timezone: z.string(),
  }),
});

/** Purchased sessions, without order data. `person_id` is null until the buyer is linked. */
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
    /** Null: the sessions never expire. */
    expires_at: instantSchema.nullable(),
    sessions_total: z.int().nonnegative(),
    /** Sessions used, as the school counts them: a late cancellation may count. */
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
    /** Only for the member who booked it, while it is scheduled. */
    join_url: z.string().nullable(),
  }),
});
