import { collectionModule } from '@lyceum/collections';
import { CourseModule } from '#src/courses/course.module.js';
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
});
