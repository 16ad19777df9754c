import { ConsultingServicesModule } from '#src/consulting-services/consulting-services.module.js';
import { CurriculaModule } from '#src/curricula/curricula.module.js';
import { DigitalProductsModule } from '#src/digital-products/digital-products.module.js';
import { EnrolledCoursesModule } from '#src/enrolled-courses/enrolled-courses.module.js';
import { EventRegistrationsModule } from '#src/event-registrations/event-registrations.module.js';
import { NotificationSubscriptionsModule } from '#src/notification-subscriptions/notification-subscriptions.module.js';
import { NotificationsModule } from '#src/notifications/notifications.module.js';
import { PostsModule } from '#src/posts/posts.module.js';
import { ProgressModule } from '#src/progress/progress.module.js';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalog } from '#src/reading/source-catalog.js';
import { SchoolsModule } from '#src/schools/schools.module.js';

const MODULES = [
  ReadingModule,
  SchoolsModule,
  EnrolledCoursesModule,
  CurriculaModule,
  ProgressModule,
  DigitalProductsModule,
  ConsultingServicesModule,
  EventRegistrationsModule,
  NotificationsModule,
  NotificationSubscriptionsModule,
  PostsModule,
];

/** The sources of all features, without starting the service. */
export const catalog = new SourceCatalog();
for (const Feature of MODULES) void new Feature(catalog);
