import { z } from 'zod';
import { createdAtFilters, fieldsParameter, listQuery, searchText } from '#src/paging/list-query.js';
import { pageOf } from '#src/paging/page.js';
import { instantOut } from '#src/validation/fields.js';
import { money } from '#src/validation/money.js';
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

export const eventView = summary
  .extend({
    description_html: z.string().nullable(),
    join_url: z.string().nullable().meta({ description: 'For registrants' }),
  })
  .meta({ id: 'Event' });

export const eventList = pageOf('EventList', summary);

export const eventListQuery = listQuery({
  sorts: ['-created_at', 'created_at', 'starts_at', '-starts_at'],
  fields: Object.keys(summary.shape) as [keyof typeof summary.shape],
  filters: {
    state: z.enum(EVENT_STATES).optional(),
    q: searchText.optional().meta({ description: 'Words that all occur in the name or slug' }),
    ...createdAtFilters,
  },
});
export type EventListQuery = z.infer<typeof eventListQuery>;

export const eventGetQuery = z.strictObject({
  fields: fieldsParameter(Object.keys(eventView.shape) as [keyof typeof eventView.shape]),
});
