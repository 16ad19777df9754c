import type { z } from 'zod';
import { iso } from '#src/validation/fields.js';
import type { EventSummary } from './event.repository.js';
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
