import { collectionModule } from '@lyceum/collections';
import { EnrollmentModule } from '#src/enrollments/enrollment.module.js';
import { MembershipPlanModule } from '#src/membership-plans/membership-plan.module.js';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { SubscriptionChanges } from './subscription.changes.js';
import { SubscriptionClock } from './subscription.clock.js';
import { subscriptionCollection } from './subscription.operations.js';
import { SubscriptionRepository } from './subscription.repository.js';
import { SubscriptionUpkeep } from './subscription.upkeep.js';

export const SubscriptionModule = collectionModule({
  imports: [EnrollmentModule, MembershipPlanModule, SchoolSettingsModule, StudentModule],
  operations: [subscriptionCollection],
  providers: [SubscriptionChanges, SubscriptionClock, SubscriptionRepository, SubscriptionUpkeep],
});
