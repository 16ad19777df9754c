import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';

/** A member's notification setting for a topic; `aggregate_id` is `subscription_id`. A default setting has no event. */
export const notificationSubscriptionEvents = defineEntityEvents({
  context: 'learner',
  entity: 'notification_subscription',
  version: 1,
  names: ['updated', 'republished'],
  data: z.object({
    subscription_id: z.uuid(),
    site_id: z.uuid(),
    person_id: z.uuid(),
    topic: z.string(),
    /** Restricts the setting; both null for the whole topic. */
    entity_type: z.enum(['course']).nullable(),
    entity_id: z.uuid().nullable(),
    active: z.boolean(),
    channels: z.object({ in_app: z.boolean(), email: z.boolean() }),
    updated_at: instantSchema,
  }),
});
