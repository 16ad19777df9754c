import { collectionModule } from '@lyceum/collections';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { membershipPlanCollection } from './membership-plan.operations.js';
import { MembershipPlanRepository } from './membership-plan.repository.js';
import { PublicMembershipPlanTools } from './public-membership-plan.tools.js';

export const MembershipPlanModule = collectionModule({
  imports: [SchoolSettingsModule],
  operations: [membershipPlanCollection],
  providers: [MembershipPlanRepository, PublicMembershipPlanTools],
});
