import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';
import { externalIdOfObject } from './command-values.js';

/** A student's subscription to a membership plan of the site. */
export const subscriptionEvents = defineEntityEvents({
  context: 'school',
  entity: 'subscription',
  version: 1,
  names: [
    'created',
    'activated',
    'renewed',
    'past_due',
    'extended',
    'updated',
    'cancellation_scheduled',
    'resumed',
    'canceled',
    'expired',
    'linked',
    'republished',
  ],
  data: z.object({
    subscription_id: z.uuid(),
    site_id: z.uuid(),
    external_id: externalIdOfObject,
    student_id: z.uuid(),
    /** Null until the student is linked to a person. */
    person_id: z.uuid().nullable(),
    plan_id: z.uuid(),
    price_id: z.uuid(),
    plan_name: z.string(),
    state: z.enum(['incomplete', 'trialing', 'active', 'past_due', 'canceled', 'expired']),
    /** Time of the last state change. */
    state_since: instantSchema,
    /** Null: it has no trial. */
    trial_ends_at: instantSchema.nullable(),
    /** Paid until then; null: for life, or it has not begun. */
    current_period_end: instantSchema.nullable(),
    /** True: it ends with the current period. */
    cancel_at_period_end: z.boolean(),
    /** Null: it has not ended. */
    ended_at: instantSchema.nullable(),
  }),
});
