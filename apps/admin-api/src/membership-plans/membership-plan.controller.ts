import type { Principal } from '@lyceum/contracts';
import { Audience, CurrentPrincipal, RequireScopes } from '@lyceum/resource-server';
import { Controller, Get, Param, Query } from '@nestjs/common';
import type { z } from 'zod';
import { EntityIdPipe, Operation, REVALIDATED, SiteUrls, listResponse, objectResponse, rowTag } from '@lyceum/rest';
import type { ApiResponse, Urls } from '@lyceum/rest';
import {
  membershipPlanGetQuery,
  membershipPlanList,
  membershipPlanListQuery,
  membershipPlanView,
} from './membership-plan.api.schema.js';
import type { MembershipPlanListQuery } from './membership-plan.api.schema.js';
import { MembershipPlanService } from './membership-plan.service.js';
import { viewMembershipPlan, viewMembershipPlanSummary } from './membership-plan.view.js';

@Audience('operator')
@Controller('api/v1/membership_plans')
export class MembershipPlanController {
  constructor(private readonly plans: MembershipPlanService) {}

  @Get()
  @RequireScopes('membership_plans:read')
  @Operation({
    id: 'listMembershipPlans',
    summary: 'List membership plans',
    description: 'Plans of every state, without their descriptions and courses.',
    answers: { 200: { description: 'One page of membership plans', schema: membershipPlanList } },
  })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query({ schema: membershipPlanListQuery }) query: MembershipPlanListQuery,
    @SiteUrls() urls: Urls,
  ): Promise<ApiResponse> {
    const page = await this.plans.list(principal, query);
    return listResponse(page, query, viewMembershipPlanSummary, urls.nextPage).with(REVALIDATED);
  }

  @Get(':id')
  @RequireScopes('membership_plans:read')
  @Operation({
    id: 'getMembershipPlan',
    summary: 'Get a membership plan',
    description: 'Returns the plan with its description and the ids of its courses.',
    answers: { 200: { description: 'The membership plan', schema: membershipPlanView } },
  })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('id', EntityIdPipe) id: string,
    @Query({ schema: membershipPlanGetQuery }) query: z.infer<typeof membershipPlanGetQuery>,
  ): Promise<ApiResponse> {
    const row = await this.plans.get(principal, id);
    return objectResponse(
      viewMembershipPlan(row),
      { ...REVALIDATED, etag: rowTag(row.version, row.sold_count) },
      query.fields,
    );
  }
}
