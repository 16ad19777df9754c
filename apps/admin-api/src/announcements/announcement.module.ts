import { collectionModule } from '@lyceum/collections';
import { CourseModule } from '#src/courses/course.module.js';
import { Announcements1764000250001 } from '#src/migrations/1764000250001-announcements.js';
import { AnnouncementPlans1764000286000 } from '#src/migrations/1764000286000-announcement-plans.js';
import { AnnouncementRecipients1764000366351 } from '#src/migrations/1764000366351-announcement-recipients.js';
import { AnnouncementClock } from './announcement.clock.js';
import { AnnouncementDeliveryConsumer } from './announcement-delivery.consumer.js';
import { Announcement } from './announcement.entity.js';
import { announcementCollection } from './announcement.operations.js';
import { AnnouncementRepository } from './announcement.repository.js';
import { AnnouncementService } from './announcement.service.js';

export const AnnouncementModule = collectionModule({
  imports: [CourseModule],
  operations: [announcementCollection],
  services: [AnnouncementService],
  providers: [AnnouncementRepository, AnnouncementClock, AnnouncementDeliveryConsumer],
  entities: [Announcement],
  migrations: [Announcements1764000250001, AnnouncementPlans1764000286000, AnnouncementRecipients1764000366351],
});
