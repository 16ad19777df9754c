import type { z } from 'zod';
import { iso } from '@lyceum/rest';
import type { eventList, eventView } from './event.api.schema.js';
import type { Event, EventSummary } from './event.repository.js';
import type { publicEvent } from './event.schema.js';

export function viewPublicEvent(row: EventSummary): z.infer<typeof publicEvent> {
  return {
    hosting_type: row.hosting_type,
    location: row.location,
    starts_at: iso(row.starts_at),
    ends_at: iso(row.ends_at),
    timezone: row.timezone,
    full: row.capacity !== null && row.registrations_count >= row.capacity,
    tickets: [...row.tickets],
  };
}

export function viewEventSummary(row: EventSummary): z.infer<typeof eventList>['data'][number] {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    image_url: row.image_url,
    state: row.state,
    hosting_type: row.hosting_type,
    location: row.location,
    starts_at: iso(row.starts_at),
    ends_at: iso(row.ends_at),
    timezone: row.timezone,
    capacity: row.capacity,
    registrations_count: row.registrations_count,
    tickets: [...row.tickets],
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

export function viewEvent(row: Event): z.infer<typeof eventView> {
  return { ...viewEventSummary(row), description_html: row.description_html, join_url: row.join_url };
}
