import { readOnly, resource } from '@lyceum/collections';
import type { ListQueryOf } from '@lyceum/collections';
import { html, httpsUrl, instant, instantOut, money, moneyIn, name, slug, text, timezone } from '@lyceum/rest';
import { z } from 'zod';
import { EVENT_TEXT } from './event.listing.js';

export const HOSTING_TYPES = ['zoom', 'live_session', 'custom', 'in_person'] as const;
export type HostingType = (typeof HOSTING_TYPES)[number];

const EVENT_STATES = ['draft', 'published', 'live', 'ended', 'canceled'] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** A way to take part in an event. */
export const ticket = z.object({
  id: z.uuid().meta({ description: 'Stays the same while name and price change' }),
  name: z.string(),
  price: money,
});

const EXAMPLE = {
  id: '019ab3c0-a310-7b4c-9d5e-2f3a4b5c6d70',
  slug: 'open-evening',
  name: 'Open evening',
  description_html: '<p>Meet the lecturers.</p>',
  image_url: null,
  state: 'published',
  hosting_type: 'in_person',
  join_url: null,
  location: 'Taipei',
  starts_at: '2027-05-09T11:00:00.000Z',
  ends_at: '2027-05-09T13:00:00.000Z',
  timezone: 'Asia/Taipei',
  capacity: 40,
  registrations_count: 12,
  tickets: [
    { id: '019ab3c0-a320-7b4c-9d5e-2f3a4b5c6d71', name: 'Seat', price: { amount_minor: 20_000, currency: 'TWD' } },
  ],
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

export const event = resource('Event', {
  one: 'event',
  fields: {
    slug: readOnly(z.string().meta({ description: 'Unique at the site' })),
    name: readOnly(z.string()),
    description_html: readOnly(z.string().nullable()),
    image_url: readOnly(z.string().nullable()),
    state: readOnly(z.enum(EVENT_STATES)),
    hosting_type: readOnly(z.enum(HOSTING_TYPES)),
    join_url: readOnly(z.string().nullable().meta({ description: 'For registrants' })),
    location: readOnly(z.string().nullable().meta({ description: 'null: online only' })),
    starts_at: readOnly(instantOut),
    ends_at: readOnly(instantOut),
    timezone: readOnly(z.string().meta({ description: 'IANA name of the zone in which the times are shown' })),
    capacity: readOnly(z.int().nullable().meta({ description: 'null: no limit' })),
    registrations_count: readOnly(z.int()),
    tickets: readOnly(z.array(ticket)),
  },
  details: ['description_html', 'join_url'],
  sorts: ['-created_at', '-updated_at', 'starts_at'],
  ranges: ['created_at', 'updated_at'],
  filters: { state: z.enum(EVENT_STATES) },
  search: { text: EVENT_TEXT, in: 'name or slug' },
  examples: { object: EXAMPLE },
});
export type EventListQuery = ListQueryOf<typeof event>;

/** An event in a declaration. */
export const eventDeclaration = z
  .strictObject({
    /** The members of an event that other declarations share. */
    id: z.uuid().optional(),
    slug,
    name: name(200),
    description_html: html(100_000).nullable().default(null),
    image_url: httpsUrl.nullable().default(null),
    state: z.enum(['published', 'draft']).default('draft'),
    hosting_type: z.enum(HOSTING_TYPES),
    join_url: httpsUrl.nullable().default(null),
    location: text(300).nullable().default(null),
    starts_at: instant,
    ends_at: instant,
    timezone: timezone.default('UTC'),
    capacity: z.int().min(1).max(1_000_000).nullable().default(null),
    tickets: z
      .array(z.strictObject({ name: name(100), price: moneyIn }))
      .max(20)
      .default([]),
  })
  .refine(({ starts_at, ends_at }) => ends_at > starts_at, 'ends_at must be after starts_at');
export type EventDeclaration = z.infer<typeof eventDeclaration>;
