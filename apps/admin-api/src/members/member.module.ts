import { collectionModule } from '@lyceum/collections';
import { LecturerModule } from '#src/lecturers/lecturer.module.js';
import { MemberPictures1764000365000 } from '#src/migrations/1764000365000-member-pictures.js';
import { Members1764000160001 } from '#src/migrations/1764000160001-members.js';
import { MembersByJoinedAt1764000310500 } from '#src/migrations/1764000310500-members-by-joined-at.js';
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
  migrations: [Members1764000160001, MembersByJoinedAt1764000310500, MemberPictures1764000365000],
});
