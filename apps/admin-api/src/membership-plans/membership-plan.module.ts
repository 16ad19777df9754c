import { collectionModule } from '@lyceum/collections';
import { CourseModule } from '#src/courses/course.module.js';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { membershipPlanCollection } from './membership-plan.operations.js';
import { MembershipPlanRepository } from './membership-plan.repository.js';
import { PublicMembershipPlanTools } from './public-membership-plan.tools.js';

export const MembershipPlanModule = collectionModule({
  imports: [CourseModule, SchoolSettingsModule],
  operations: [membershipPlanCollection],
  providers: [MembershipPlanRepository, PublicMembershipPlanTools],
});
