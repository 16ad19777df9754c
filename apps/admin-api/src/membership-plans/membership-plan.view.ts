import type { z } from 'zod';
import { iso } from '#src/validation/fields.js';
import type { MembershipPlanSummary } from './membership-plan.repository.js';
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
