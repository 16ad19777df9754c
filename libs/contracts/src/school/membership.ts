import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';

/** A member's subscription to a membership plan of the site. */
export const subscriptionEvents = defineEntityEvents({
  context: 'school',
  entity: 'subscription',
  version: 1,
  names: ['created', 'activated', 'renewed', 'updated', 'canceled', 'expired', 'linked', 'republished'],
  data: z.object({
    subscription_id: z.uuid(),
    site_id: z.uuid(),
    student_id: z.uuid(),
    /** Null until the student is linked to a person. */
    person_id: z.uuid().nullable(),
    plan_id: z.uuid(),
    plan_name: z.string(),
    state: z.enum(['pending', 'active', 'past_due', 'canceled', 'expired']),
    /** Time of the last state change. */
    state_since: instantSchema,
    /** Paid until then; null for a plan without an end. */
    current_period_end: instantSchema.nullable(),
  }),
});
