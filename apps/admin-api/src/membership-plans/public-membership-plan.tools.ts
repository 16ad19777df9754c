import { MEMBERSHIP_PLAN_TYPES } from '@lyceum/contracts';
import { READS, instantOut, iso, toolItems } from '@lyceum/rest';
import { Tool, itemsOf, toolPage } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { publicPrice } from './membership-plan.schema.js';
import { MembershipPlanService } from './membership-plan.service.js';

/** The public members of a plan, besides those of all items of the catalog. */
export const publicMembershipPlan = z.object({
  plan_type: z.enum(MEMBERSHIP_PLAN_TYPES),
  ends_at: instantOut.nullable().describe('End of the sale'),
  sold_out: z.boolean(),
  prices: z.array(publicPrice),
  courses_count: z.int().describe('Published courses that members have access to'),
});

const listInput = z.object(toolPage);
const listOutput = itemsOf(z.object({ slug: z.string(), name: z.string(), ...publicMembershipPlan.shape }));

type Row = Awaited<ReturnType<MembershipPlanService['getListed']>>;

export function viewPublicMembershipPlan(row: Row): z.infer<typeof publicMembershipPlan> {
  const { plan_type, ends_at, quantity, sold_count, prices, courses_count } = row;
  const sold_out = quantity !== null && sold_count >= quantity;
  const shown = prices.flatMap(({ active, ...price }) => (active ? [price] : []));
  return { plan_type, ends_at: iso(ends_at), sold_out, prices: shown, courses_count };
}

@Injectable()
export class PublicMembershipPlanTools {
  constructor(private readonly plans: MembershipPlanService) {}

  @Tool({
    name: 'browse_plans',
    title: 'Browse membership plans',
    description:
      'Lists the membership plans of this site that can be joined now, by name, with their prices. Use it to compare ' +
      'what membership costs; browse_item has the description of one plan.',
    audience: 'public',
    scopes: [],
    toolset: 'membership_plans',
    input: listInput,
    output: listOutput,
    annotations: READS,
  })
  browsePlans({ input, site_id }: ToolCall<z.infer<typeof listInput>>): Promise<object> {
    const query = { limit: input.first, cursor: input.after };
    return toolItems(this.plans.listListed({ site_id }, query), (row) => {
      const { slug, name } = row;
      return { slug, name, ...viewPublicMembershipPlan(row) };
    });
  }
}
