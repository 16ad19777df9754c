import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { itemsOf, toolPage } from '#src/paging/tool-page.js';
import { READS } from '#src/tool-calls/hints.js';
import { publicMembershipPlan } from './membership-plan.schema.js';
import { MembershipPlanService } from './membership-plan.service.js';
import { viewPublicMembershipPlan } from './membership-plan.view.js';

const listInput = z.object(toolPage);
const listOutput = itemsOf(z.object({ slug: z.string(), name: z.string(), ...publicMembershipPlan.shape }));

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
  async listMembershipPlans({ input, site_id }: ToolCall<z.infer<typeof listInput>>): Promise<object> {
    const page = await this.plans.listListed({ site_id }, { limit: input.first, cursor: input.after });
    const items = page.rows.map((row) => ({ slug: row.slug, name: row.name, ...viewPublicMembershipPlan(row) }));
    return { items, next_cursor: page.next };
  }
}
