import { Collection, Get, List } from '@lyceum/collections';
import type { ListRequest, ObjectRequest } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { MembershipPlan } from './membership-plan.entity.js';
import { membershipPlan } from './membership-plan.schema.js';
import type { MembershipPlanListQuery } from './membership-plan.schema.js';
import { MembershipPlanService } from './membership-plan.service.js';

@Collection<MembershipPlan>({
  name: 'membership_plans',
  description: 'Plans that give access to courses for a period.',
  resource: membershipPlan,
  etag: ({ version, sold_count }) => rowTag(version, sold_count),
  toolItem: ['id', 'slug', 'name', 'plan_type', 'state', 'visible', 'ends_at', 'quantity', 'sold_count', 'updated_at'],
})
@Injectable()
export class MembershipPlanOperations {
  constructor(private readonly plans: MembershipPlanService) {}

  @List('listMembershipPlans', {
    summary: 'List membership plans',
    description: 'Returns plans of every state, without their descriptions and courses.',
    tool: {
      description:
        'Lists the membership plans of this site for its operators, drafts, hidden and archived ones included, newest ' +
        'first. Use it to manage plans; browse_plans shows the plans that visitors see.',
    },
  })
  list({ principal, query }: ListRequest<MembershipPlanListQuery>): Promise<Page<MembershipPlan>> {
    return this.plans.list(principal, query);
  }

  @Get('getMembershipPlan', {
    summary: 'Get a membership plan',
    description: 'Returns the plan with its description and the ids of its courses.',
    tool: {
      description:
        'Reads one membership plan in any state, with its prices, courses and how many were sold. Use it when you know ' +
        'the id from list_membership_plans; browse_item shows what visitors see.',
    },
  })
  get({ principal, id }: ObjectRequest): Promise<MembershipPlan> {
    return this.plans.get(principal, id);
  }
}
