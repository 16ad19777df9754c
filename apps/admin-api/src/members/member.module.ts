import { collectionModule } from '@lyceum/collections';
import { LecturerModule } from '#src/lecturers/lecturer.module.js';
import { PictureModule } from '#src/pictures/picture.module.js';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { SubscriptionModule } from '#src/subscriptions/subscription.module.js';
import { memberCollection } from './member.operations.js';
import { MemberRepository } from './member.repository.js';
import { MemberRequests } from './member-requests.js';
import { MemberService } from './member.service.js';
import { MembershipService } from './membership.service.js';

export const MemberModule = collectionModule({
  imports: [LecturerModule, PictureModule, SchoolSettingsModule, StudentModule, SubscriptionModule],
  operations: [memberCollection],
  services: [MemberService, MembershipService],
  providers: [MemberRepository, MemberRequests],
});
