import { editable, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { HOSTING_TYPES } from '@lyceum/contracts';
import {
  externalId,
  html,
  httpsUrl,
  instant,
  instantOut,
  metadata,
  money,
  name,
  slug,
  text,
  timezone,
} from '@lyceum/rest';
import { z } from 'zod';
import { EVENT_TEXT } from './event.listing.js';
import { EVENT_STATES } from './event.policy.js';

export const MAX_PLACES = 1_000_000;

/** A way to take part in an event. */
const ticket = z.object({
  id: z.uuid().meta({ description: 'Stays the same while name and price change' }),
  name: z.string(),
  price: money,
  capacity: z.int().min(0).nullable().meta({ description: 'null: as many as the event has places' }),
  position: z.int().min(0),
});

const EXAMPLE = {
  id: '019ab3c0-a310-7b4c-9d5e-2f3a4b5c6d70',
  slug: 'open-evening',
  name: 'Open evening',
  description_html: '<p>Meet the lecturers and ask everything.</p>',
  image_url: null,
  state: 'published',
  hosting_type: 'in_person',
  join_url: null,
  location: 'Taipei',
  starts_at: '2027-05-09T11:00:00.000Z',
  ends_at: '2027-05-09T13:00:00.000Z',
  timezone: 'Asia/Taipei',
  capacity: 40,
  waitlist: true,
  registrations_count: 12,
  tickets: [
    {
      id: '019ab3c0-a320-7b4c-9d5e-2f3a4b5c6d71',
      name: 'Seat with dinner',
      price: { amount_minor: 80_000, currency: 'TWD' },
      capacity: null,
      position: 2,
    },
  ],
  published_at: '2026-11-20T08:00:00.000Z',
  canceled_at: null,
  external_id: 'open-evening',
  metadata: {},
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

export const event = resource('Event', {
  one: 'event',
  fields: {
    slug: editable(slug.meta({ description: 'Unique at the site: lower-case words and hyphens' })),
    name: editable(name(200).meta({ description: 'Name that visitors read' })),
    description_html: editable(html(100_000).nullable(), null),
    image_url: editable(httpsUrl.nullable().meta({ description: 'Picture of the event: an https URL' }), null),
    state: readOnly(
      z.enum(EVENT_STATES).meta({ description: 'A published event is live from its start and ended from its end' }),
    ),
    hosting_type: editable(z.enum(HOSTING_TYPES).meta({ description: 'How the event is held' })),
    join_url: editable(
      httpsUrl.nullable().meta({ description: 'Where to join: shown to registrants and operators' }),
      null,
    ),
    location: editable(text(300).nullable().meta({ description: 'Where to come; null: online only' }), null),
    starts_at: editable(instant.meta({ description: 'When the event starts' })),
    ends_at: editable(instant.meta({ description: 'When the event ends, after starts_at' })),
    timezone: editable(timezone.meta({ description: 'IANA name of the zone in which the times are shown' }), 'UTC'),
    capacity: editable(
      z
        .int()
        .min(1)
        .max(MAX_PLACES)
        .nullable()
        .meta({ description: 'Places, not below those that are taken; null: no limit' }),
      null,
    ),
    waitlist: editable(
      z.boolean().meta({ description: 'true: a registration without a place waits for one; false: it is refused' }),
      false,
    ),
    registrations_count: readOnly(
      z
        .int()
        .min(0)
        .meta({ description: 'Taken places, exact: registrations that are neither waitlisted nor canceled' }),
    ),
    tickets: readOnly(z.array(ticket).meta({ description: 'In their order; none: the event is free' })),
    published_at: readOnly(instantOut.nullable()),
    canceled_at: readOnly(instantOut.nullable()),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
  },
  details: ['description_html', 'join_url'],
  sorts: ['-created_at', '-updated_at', 'starts_at'],
  ranges: ['starts_at', 'created_at', 'updated_at'],
  filters: { state: z.enum(EVENT_STATES), external_id: externalId },
  search: { text: EVENT_TEXT, in: 'name or slug' },
  examples: {
    object: EXAMPLE,
    create: {
      slug: EXAMPLE.slug,
      name: EXAMPLE.name,
      hosting_type: EXAMPLE.hosting_type,
      location: EXAMPLE.location,
      starts_at: '2027-05-09T11:00:00Z',
      ends_at: '2027-05-09T13:00:00Z',
      capacity: 40,
    },
    patch: { capacity: 60, waitlist: true },
  },
});
export type EventCreate = CreateOf<typeof event>;
export type EventPatch = PatchOf<typeof event>;
export type EventListQuery = ListQueryOf<typeof event>;
