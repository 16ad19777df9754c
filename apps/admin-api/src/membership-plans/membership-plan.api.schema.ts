import { z } from 'zod';
import { createdAtFilters, fieldsParameter, listQuery, searchText } from '#src/paging/list-query.js';
import { pageOf } from '#src/paging/page.js';
import { instantOut } from '#src/validation/fields.js';
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

export const membershipPlanView = summary
  .extend({ description_html: z.string().nullable(), course_ids: z.array(z.uuid()) })
  .meta({ id: 'MembershipPlan' });

export const membershipPlanList = pageOf('MembershipPlanList', summary);

export const membershipPlanListQuery = listQuery({
  sorts: ['-created_at', 'created_at', 'name', '-name'],
  fields: Object.keys(summary.shape) as [keyof typeof summary.shape],
  filters: {
    state: z.enum(PLAN_STATES).optional(),
    q: searchText.optional().meta({ description: 'Words that all occur in the name or slug' }),
    ...createdAtFilters,
  },
});
export type MembershipPlanListQuery = z.infer<typeof membershipPlanListQuery>;

export const membershipPlanGetQuery = z.strictObject({
  fields: fieldsParameter(Object.keys(membershipPlanView.shape) as [keyof typeof membershipPlanView.shape]),
});
