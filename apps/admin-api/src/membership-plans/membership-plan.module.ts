import { Module } from '@nestjs/common';
import { MembershipPlanRepository } from './membership-plan.repository.js';
import { MembershipPlanService } from './membership-plan.service.js';
import { MembershipPlanTools } from './membership-plan.tools.js';

@Module({
  providers: [MembershipPlanService, MembershipPlanRepository, MembershipPlanTools],
  exports: [MembershipPlanService],
})
export class MembershipPlanModule {}
