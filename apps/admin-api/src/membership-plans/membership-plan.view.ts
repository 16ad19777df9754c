import type { z } from 'zod';
import { iso } from '@lyceum/rest';
import type { membershipPlanList, membershipPlanView } from './membership-plan.api.schema.js';
import type { MembershipPlan, MembershipPlanSummary } from './membership-plan.repository.js';
import type { publicMembershipPlan } from './membership-plan.schema.js';

export function viewPublicMembershipPlan(row: MembershipPlanSummary): z.infer<typeof publicMembershipPlan> {
  return {
    plan_type: row.plan_type,
    ends_at: iso(row.ends_at),
    sold_out: row.quantity !== null && row.sold_count >= row.quantity,
    prices: [...row.prices],
    courses_count: row.courses_count,
  };
}

export function viewMembershipPlanSummary(
  row: MembershipPlanSummary,
): z.infer<typeof membershipPlanList>['data'][number] {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    plan_type: row.plan_type,
    state: row.state,
    visible: row.visible,
    ends_at: iso(row.ends_at),
    quantity: row.quantity,
    sold_count: row.sold_count,
    prices: [...row.prices],
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

export function viewMembershipPlan(row: MembershipPlan): z.infer<typeof membershipPlanView> {
  const { description_html, course_ids } = row;
  return { ...viewMembershipPlanSummary(row), description_html, course_ids: [...course_ids] };
}
