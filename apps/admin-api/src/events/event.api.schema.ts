import { z } from 'zod';
import { rangeFilters, fieldsParameter, instantOut, listQuery, money, pageOf, searchText } from '@lyceum/rest';
import { HOSTING_TYPES } from './event.schema.js';

export const EVENT_STATES = ['draft', 'published', 'live', 'ended', 'cancelled'] as const;

const summary = z
  .object({
    id: z.uuid(),
    slug: z.string().meta({ description: 'Unique at the site' }),
    name: z.string(),
    image_url: z.string().nullable(),
    state: z.enum(EVENT_STATES),
    hosting_type: z.enum(HOSTING_TYPES),
    location: z.string().nullable(),
    starts_at: instantOut,
    ends_at: instantOut,
    timezone: z.string(),
    capacity: z.int().nullable().meta({ description: 'null: without limit' }),
    registrations_count: z.int(),
    tickets: z.array(z.object({ name: z.string(), price: money })),
    created_at: instantOut,
    updated_at: instantOut,
  })
  .meta({ id: 'EventSummary' });

const EXAMPLE = {
  id: '019ab3c0-a310-7b4c-9d5e-2f3a4b5c6d70',
  slug: 'open-evening',
  name: 'Open evening',
  image_url: null,
  state: 'published',
  hosting_type: 'in_person',
  location: 'Taipei',
  starts_at: '2027-05-09T11:00:00.000Z',
  ends_at: '2027-05-09T13:00:00.000Z',
  timezone: 'Asia/Taipei',
  capacity: 40,
  registrations_count: 12,
  tickets: [{ name: 'Seat', price: { amount_minor: 20_000, currency: 'TWD' } }],
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
  description_html: '<p>Meet the lecturers.</p>',
  join_url: null,
} as const;

export const eventView = summary
  .extend({
    description_html: z.string().nullable(),
    join_url: z.string().nullable().meta({ description: 'For registrants' }),
  })
  .meta({ id: 'Event', examples: [EXAMPLE] });

export const eventList = pageOf('EventList', summary);

export const eventListQuery = listQuery({
  sorts: ['-created_at', 'created_at', 'starts_at', '-starts_at'],
  fields: Object.keys(summary.shape) as [keyof typeof summary.shape],
  filters: {
    state: z.enum(EVENT_STATES).optional(),
    q: searchText.optional().meta({ description: 'Words that all occur in the name or slug' }),
    ...rangeFilters(['created_at']),
  },
});
export type EventListQuery = z.infer<typeof eventListQuery>;

export const eventGetQuery = z.strictObject({
  fields: fieldsParameter(Object.keys(eventView.shape) as [keyof typeof eventView.shape]),
});
