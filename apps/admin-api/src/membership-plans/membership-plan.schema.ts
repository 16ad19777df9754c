import { z } from 'zod';
import { instantText, instantOut, money, moneyIn, multiline, name, slug } from '@lyceum/rest';

export const PLAN_TYPES = ['recurring', 'fixed_date', 'specific_length', 'lifetime'] as const;
export const INTERVALS = ['day', 'week', 'month', 'year'] as const;

/** What a declaration says of a plan. */
export const membershipPlanDeclaration = z.strictObject({
  slug,
  name: name(200),
  description_html: multiline(100_000).nullable().default(null),
  plan_type: z.enum(PLAN_TYPES),
  state: z.enum(['active', 'draft']).default('draft'),
  visible: z.boolean().default(true),
  ends_at: instantText.nullable().default(null),
  quantity: z.int().min(1).max(1_000_000).nullable().default(null),
  prices: z
    .array(
      z.strictObject({
        /** null: paid once */
        interval: z.enum(INTERVALS).nullable().default(null),
        interval_count: z.int().min(1).max(36).default(1),
        price: moneyIn,
        trial_days: z.int().min(0).max(365).default(0),
      }),
    )
    .max(10)
    .default([]),
  courses: z.array(slug).max(200).default([]),
});
export type MembershipPlanDeclaration = z.infer<typeof membershipPlanDeclaration>;

/** What everybody may read of a plan, beside what all items of the catalogue have. */
export const publicMembershipPlan = z.object({
  plan_type: z.enum(PLAN_TYPES),
  ends_at: instantOut.nullable().describe('Nobody can join after it'),
  sold_out: z.boolean(),
  prices: z.array(
    z.object({
      interval: z.enum(INTERVALS).nullable().describe('null: paid once'),
      interval_count: z.int(),
      price: money,
      trial_days: z.int(),
    }),
  ),
  courses_count: z.int().describe('Published courses that members have access to'),
});
