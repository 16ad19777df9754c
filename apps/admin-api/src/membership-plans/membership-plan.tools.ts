import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import {
  READS,
  itemsOf,
  newestFirst,
  operatorOf,
  searchText,
  shownDescription,
  toolItems,
  toolPage,
  truncated,
} from '@lyceum/rest';
import { PLAN_STATES, membershipPlanView } from './membership-plan.api.schema.js';
import { publicMembershipPlan } from './membership-plan.schema.js';
import { MembershipPlanService } from './membership-plan.service.js';
import { viewMembershipPlan, viewMembershipPlanSummary, viewPublicMembershipPlan } from './membership-plan.view.js';

const listInput = z.object(toolPage);
const listOutput = itemsOf(z.object({ slug: z.string(), name: z.string(), ...publicMembershipPlan.shape }));

const allInput = z.object({
  q: searchText.optional().describe('Words that all occur in the name or slug'),
  state: z.enum(PLAN_STATES).optional().describe('Only those in this state'),
  ...toolPage,
});
const allOutput = itemsOf(
  membershipPlanView.pick({
    id: true,
    slug: true,
    name: true,
    plan_type: true,
    state: true,
    visible: true,
    ends_at: true,
    quantity: true,
    sold_count: true,
    updated_at: true,
  }),
);
const detailsInput = z.object({
  id: z.uuid().toLowerCase().describe('Id of the plan; list_all_membership_plans has it'),
});
const details = z.object({ ...membershipPlanView.shape, description_truncated: truncated });

const OPERATORS = { audience: 'operator', scopes: ['membership_plans:read'] } as const;

@Injectable()
export class MembershipPlanTools {
  constructor(private readonly plans: MembershipPlanService) {}

  @Tool({
    name: 'list_membership_plans',
    title: 'List membership plans',
    description:
      'Lists the membership plans of this site that can be joined now, by name, with their prices. Use it to compare ' +
      'what membership costs; use get_catalog_item for the description of one.',
    audience: 'public',
    scopes: [],
    toolset: 'membership_plans',
    input: listInput,
    output: listOutput,
    annotations: READS,
  })
  listMembershipPlans({ input, site_id }: ToolCall<z.infer<typeof listInput>>): Promise<object> {
    const query = { limit: input.first, cursor: input.after };
    return toolItems(this.plans.listListed({ site_id }, query), (row) => ({
      slug: row.slug,
      name: row.name,
      ...viewPublicMembershipPlan(row),
    }));
  }

  @Tool({
    ...OPERATORS,
    name: 'list_all_membership_plans',
    title: 'List all membership plans',
    description:
      'Lists the membership plans of this site for its operators, drafts, hidden and archived ones included, newest ' +
      'first. Use it to manage plans; use list_membership_plans for what visitors see.',
    input: allInput,
    output: allOutput,
    annotations: READS,
  })
  listAllMembershipPlans(call: ToolCall<z.infer<typeof allInput>>): Promise<object> {
    return toolItems(this.plans.list(operatorOf(call), newestFirst(call.input)), viewMembershipPlanSummary);
  }

  @Tool({
    ...OPERATORS,
    name: 'get_membership_plan_details',
    title: 'Get a membership plan as its operators see it',
    description:
      'Reads one membership plan in any state, with its prices, courses and how many were sold. Use it when you know the ' +
      'id from list_all_membership_plans; use get_catalog_item for what visitors see.',
    input: detailsInput,
    output: details,
    annotations: READS,
  })
  async getMembershipPlanDetails(call: ToolCall<z.infer<typeof detailsInput>>): Promise<object> {
    const row = await this.plans.get(operatorOf(call), call.input.id);
    return { ...viewMembershipPlan(row), ...shownDescription(row.description_html) };
  }
}
