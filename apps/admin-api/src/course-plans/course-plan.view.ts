import { COURSE_PLAN_INTERVALS, COURSE_PLAN_TYPES } from '@lyceum/contracts';
import { instantOut, iso, money } from '@lyceum/rest';
import { z } from 'zod';
import type { CoursePlan } from './course-plan.entity.js';

/** Plans of one course that visitors see, to keep a result short. */
export const PUBLIC_PLANS = 20;

/** The plans that a public course is sold by. */
export const publicCoursePlans = z
  .array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      plan_type: z.enum(COURSE_PLAN_TYPES),
      price: money.nullable().describe('null: free'),
      interval: z.enum(COURSE_PLAN_INTERVALS).nullable().describe('Unit of the period of a subscription'),
      interval_count: z.int().nullable().describe('Intervals from one payment to the next'),
      access_days: z.int().nullable().describe('Days of access from the start'),
      access_ends_at: instantOut.nullable().describe('End of access of every buyer'),
    }),
  )
  .describe(`The first ${PUBLIC_PLANS} plans for sale, in the order of the school`);

export function viewPublicCoursePlans(plans: readonly CoursePlan[]): z.infer<typeof publicCoursePlans> {
  return plans.map(({ id, name, plan_type, price, interval, interval_count, access_days, access_ends_at }) => ({
    id,
    name,
    plan_type,
    price,
    interval,
    interval_count,
    access_days,
    access_ends_at: iso(access_ends_at),
  }));
}
