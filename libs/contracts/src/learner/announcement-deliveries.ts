import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';

/** How many people an announcement reached; `aggregate_id` is `announcement_id`. Published once, after the last one. */
export const announcementDeliveryEvents = defineEntityEvents({
  context: 'learner',
  entity: 'announcement_delivery',
  version: 1,
  names: ['completed', 'republished'],
  data: z.object({
    announcement_id: z.uuid(),
    site_id: z.uuid(),
    /** Each person counts once, whether they get a notification, a mail or both. */
    recipients_count: z.int().min(0),
    completed_at: instantSchema,
  }),
});
