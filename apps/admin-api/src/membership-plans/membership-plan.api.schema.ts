import { z } from 'zod';
import { rangeFilters, fieldsParameter, instantOut, listQuery, pageOf, searchText } from '@lyceum/rest';
import { PLAN_TYPES, publicMembershipPlan } from './membership-plan.schema.js';

export const PLAN_STATES = ['draft', 'active', 'archived'] as const;

const summary = z
  .object({
    id: z.uuid(),
    slug: z.string().meta({ description: 'Unique at the site' }),
    name: z.string(),
    plan_type: z.enum(PLAN_TYPES),
    state: z.enum(PLAN_STATES),
    visible: z.boolean(),
    ends_at: instantOut.nullable(),
    quantity: z.int().nullable().meta({ description: 'null: without limit' }),
    sold_count: z.int(),
    prices: publicMembershipPlan.shape.prices,
    created_at: instantOut,
    updated_at: instantOut,
  })
  .meta({ id: 'MembershipPlanSummary' });

const EXAMPLE = {
  id: '019ab3c0-b350-7d6e-9f70-4b5c6d7e8f90',
  slug: 'all-courses',
  name: 'All courses',
  plan_type: 'recurring',
  state: 'active',
  visible: true,
  ends_at: null,
  quantity: null,
  sold_count: 7,
  prices: [{ interval: 'month', interval_count: 1, price: { amount_minor: 60_000, currency: 'TWD' }, trial_days: 14 }],
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
  description_html: null,
  course_ids: ['019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90'],
} as const;

export const membershipPlanView = summary
  .extend({ description_html: z.string().nullable(), course_ids: z.array(z.uuid()) })
  .meta({ id: 'MembershipPlan', examples: [EXAMPLE] });

export const membershipPlanList = pageOf('MembershipPlanList', summary);

export const membershipPlanListQuery = listQuery({
  sorts: ['-created_at', 'created_at', 'name', '-name'],
  fields: Object.keys(summary.shape) as [keyof typeof summary.shape],
  filters: {
    state: z.enum(PLAN_STATES).optional(),
    q: searchText.optional().meta({ description: 'Words that all occur in the name or slug' }),
    ...rangeFilters(['created_at']),
  },
});
export type MembershipPlanListQuery = z.infer<typeof membershipPlanListQuery>;

export const membershipPlanGetQuery = z.strictObject({
  fields: fieldsParameter(Object.keys(membershipPlanView.shape) as [keyof typeof membershipPlanView.shape]),
});
