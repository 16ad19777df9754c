import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';

/** The school's resource `events`: scheduled events with registrations. */
export const eventEvents = defineEntityEvents({
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
    /** Location as text; null for an online event. */
    location: z.string().nullable(),
    starts_at: instantSchema,
    ends_at: instantSchema,
    /** IANA time zone of the displayed times. */
    timezone: z.string(),
    state: z.enum(['draft', 'published', 'live', 'ended', 'canceled', 'deleted']),
  }),
});

/** A registration, without order data. `person_id` is null until the registrant is linked. */
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
