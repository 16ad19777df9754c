import type { Principal } from '@lyceum/contracts';
import { Audience, CurrentPrincipal, RequireScopes } from '@lyceum/resource-server';
import { Controller, Get, Param, Query } from '@nestjs/common';
import type { z } from 'zod';
import { REVALIDATED } from '#src/answers/answer.js';
import type { Answer } from '#src/answers/answer.js';
import { listAnswer, objectAnswer } from '#src/answers/answers.js';
import { rowTag } from '#src/answers/etag.policy.js';
import { SiteUrls } from '#src/answers/urls.decorator.js';
import type { Urls } from '#src/answers/urls.decorator.js';
import { Operation } from '#src/openapi/operation.decorator.js';
import { EntityIdPipe } from '#src/validation/entity-id.pipe.js';
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
  ): Promise<Answer> {
    const page = await this.plans.list(principal, query);
    return listAnswer(page, query, viewMembershipPlanSummary, urls.nextPage).with(REVALIDATED);
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
  ): Promise<Answer> {
    const row = await this.plans.get(principal, id);
    return objectAnswer(
      viewMembershipPlan(row),
      { ...REVALIDATED, etag: rowTag(row.version, row.sold_count) },
      query.fields,
    );
  }
}
