import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';

/** The resource `events` of the school: something that takes place at a time, and that people register for. */
export const learningEventEvents = defineEntityEvents({
  context: 'school',
  entity: 'event',
  version: 1,
  names: ['created', 'updated', 'published', 'started', 'ended', 'canceled', 'deleted', 'republished'],
  data: z.object({
    event_id: z.uuid(),
    site_id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    image_url: z.string().nullable(),
    hosting_type: z.enum(['zoom', 'live_session', 'custom', 'in_person']),
    /** For registrants only. */
    join_url: z.string().nullable(),
    /** Where it is, in words; null for one that is online only. */
    location: z.string().nullable(),
    starts_at: instantSchema,
    ends_at: instantSchema,
    /** IANA name of the zone in which the times are shown. */
    timezone: z.string(),
    state: z.enum(['draft', 'published', 'live', 'ended', 'canceled', 'deleted']),
  }),
});

/** It says nothing of an order. `person_id` is null until the registrant is linked. */
export const eventRegistrationEvents = defineEntityEvents({
  context: 'school',
  entity: 'event_registration',
  version: 1,
  names: ['registered', 'waitlisted', 'attended', 'missed', 'canceled', 'updated', 'linked', 'republished'],
  data: z.object({
    registration_id: z.uuid(),
    site_id: z.uuid(),
    person_id: z.uuid().nullable(),
    event_id: z.uuid(),
    /** Null for an event without tickets. */
    ticket_id: z.uuid().nullable(),
    ticket_name: z.string().nullable(),
    state: z.enum(['registered', 'waitlisted', 'checked_in', 'no_show', 'canceled']),
    registered_at: instantSchema,
    checked_in_at: instantSchema.nullable(),
    canceled_at: instantSchema.nullable(),
  }),
});
