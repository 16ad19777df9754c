import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';

/**
 * What a member wants to be told of a topic, as they set it; `aggregate_id` is `subscription_id`. There is no event for a
 * subscription that is as its topic has it by default.
 */
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
    /** What it is limited to; both null for all of the topic. */
    entity_type: z.enum(['course']).nullable(),
    entity_id: z.uuid().nullable(),
    active: z.boolean(),
    channels: z.object({ in_app: z.boolean(), email: z.boolean(), push: z.boolean() }),
    updated_at: instantSchema,
  }),
});
