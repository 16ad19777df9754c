import { Module } from '@nestjs/common';
import { MembershipPlanController } from './membership-plan.controller.js';
import { MembershipPlanRepository } from './membership-plan.repository.js';
import { MembershipPlanService } from './membership-plan.service.js';
import { MembershipPlanTools } from './membership-plan.tools.js';

@Module({
  controllers: [MembershipPlanController],
  providers: [MembershipPlanService, MembershipPlanRepository, MembershipPlanTools],
  exports: [MembershipPlanService],
})
export class MembershipPlanModule {}
