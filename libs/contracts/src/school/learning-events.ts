import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';
import { externalIdOfObject } from './command-values.js';

/** How an event is held, and where the sessions of a consulting service take place. */
export const HOSTING_TYPES = ['zoom', 'live_session', 'custom', 'in_person'] as const;
export type HostingType = (typeof HOSTING_TYPES)[number];

/** The school's resource `events`: scheduled events with registrations. */
export const eventEvents = defineEntityEvents({
  context: 'school',
  entity: 'event',
  version: 1,
  names: ['created', 'updated', 'published', 'started', 'ended', 'canceled', 'deleted', 'republished'],
  data: z.object({
    event_id: z.uuid(),
    site_id: z.uuid(),
    external_id: externalIdOfObject,
    slug: z.string(),
    name: z.string(),
    image_url: z.string().nullable(),
    hosting_type: z.enum(HOSTING_TYPES),
    /** Shown to registrants only. */
    join_url: z.string().nullable(),
    /** Location as text; null for an online event. */
    location: z.string().nullable(),
    starts_at: instantSchema,
    ends_at: instantSchema,
    /** IANA time zone of the displayed times. */
    timezone: z.string(),
    /** In display order. Registrations name their ids. */
    tickets: z
      .array(z.object({ ticket_id: z.uuid(), name: z.string() }))
      .max(20)
      .default([]),
    state: z.enum(['draft', 'published', 'live', 'ended', 'canceled', 'deleted']),
    /** The registrations that the cancellation of the event canceled have this instant, too. */
    canceled_at: instantSchema.nullable().default(null),
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
    external_id: externalIdOfObject,
    /** Null in events from before this member existed. */
    student_id: z.uuid().nullable().default(null),
    person_id: z.uuid().nullable(),
    event_id: z.uuid(),
    /** Null for an event without tickets. */
    ticket_id: z.uuid().nullable(),
    state: z.enum(['registered', 'waitlisted', 'checked_in', 'no_show', 'canceled']),
    registered_at: instantSchema,
    checked_in_at: instantSchema.nullable(),
    canceled_at: instantSchema.nullable(),
  }),
});
