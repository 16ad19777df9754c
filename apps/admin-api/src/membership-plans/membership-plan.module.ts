import { collectionModule } from '@lyceum/collections';
import { MembershipPlan } from './membership-plan.entity.js';
import { MembershipPlanOperations } from './membership-plan.operations.js';
import { MembershipPlanRepository } from './membership-plan.repository.js';
import { MembershipPlanService } from './membership-plan.service.js';
import { PublicMembershipPlanTools } from './public-membership-plan.tools.js';

export const MembershipPlanModule = collectionModule({
  operations: [MembershipPlanOperations],
  services: [MembershipPlanService],
  providers: [MembershipPlanRepository, PublicMembershipPlanTools],
  entities: [MembershipPlan],
});
