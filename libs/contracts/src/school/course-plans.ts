import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';
import { externalIdOfObject } from './command-values.js';

export const COURSE_PLAN_TYPES = [
  'free',
  'one_time_purchase',
  'subscription',
  'pre_order',
  'group_buy',
  'fixed_date',
  'specific_length',
] as const;
export const COURSE_PLAN_INTERVALS = ['month', 'year'] as const;

/** A plan in which a course is sold. Buyers and grants name its id. */
export const coursePlanEvents = defineEntityEvents({
  context: 'school',
  entity: 'course_plan',
  version: 1,
  names: ['created', 'updated', 'deleted', 'republished'],
  data: z.object({
    plan_id: z.uuid(),
    site_id: z.uuid(),
    external_id: externalIdOfObject,
    course_id: z.uuid(),
    name: z.string(),
    plan_type: z.enum(COURSE_PLAN_TYPES),
    /** Null: free. */
    price: z.object({ amount_minor: z.int().nonnegative(), currency: z.string() }).nullable(),
    /** Set for a subscription. */
    interval: z.enum(COURSE_PLAN_INTERVALS).nullable(),
    interval_count: z.int().positive().nullable(),
    /** Set for a plan with a specific length. */
    access_days: z.int().positive().nullable(),
    /** Set for a plan with a fixed date. */
    access_ends_at: instantSchema.nullable(),
    /** Inactive plans are not sold. */
    state: z.enum(['active', 'inactive', 'deleted']),
  }),
});
