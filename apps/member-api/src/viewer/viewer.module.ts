import { Module } from '@nestjs/common';
import {
  consultingServiceOf,
  consultingServiceSources,
  consultingServices,
} from '#src/consulting-services/consulting-services.repository.js';
import {
  digitalProductOf,
  digitalProductSources,
  digitalProducts,
} from '#src/digital-products/digital-products.repository.js';
import {
  enrolledCourseById,
  enrolledCourseOf,
  enrolledCourseSources,
  enrolledCourses,
} from '#src/enrolled-courses/enrolled-courses.repository.js';
import {
  eventRegistrationOf,
  eventRegistrationSources,
  eventRegistrations,
} from '#src/event-registrations/event-registrations.repository.js';
import {
  notificationSubscriptionOf,
  notificationSubscriptionSources,
  notificationSubscriptions,
} from '#src/notification-subscriptions/notification-subscriptions.repository.js';
import {
  notificationOf,
  notificationSource,
  notifications,
  unreadNotificationCount,
} from '#src/notifications/notifications.repository.js';
import { ApiModule } from '#src/graphql/api.module.js';
import { postOf, postSources } from '#src/posts/posts.repository.js';
import { schoolSources, schools } from '#src/schools/schools.repository.js';
import { sql } from '#src/selection/sources.js';
import { BY_ID, MemberQueries } from './member-queries.service.js';
import { SourceCatalogue } from './source-catalogue.js';
import { ViewerRepository, viewerSource } from './viewer.repository.js';
import { ViewerResolver } from './viewer.resolver.js';
import { ViewerService } from './viewer.service.js';
import { ViewerTools } from './viewer.tools.js';

export const catalogue = new SourceCatalogue({
  ...schoolSources,
  ...enrolledCourseSources,
  ...notificationSubscriptionSources,
  ...postSources,
  ...digitalProductSources,
  ...consultingServiceSources,
  ...eventRegistrationSources,
  Query: { viewer: sql.sameRow },
  Viewer: {
    ...viewerSource,
    schools,
    enrolledCourses,
    digitalProducts,
    consultingServices,
    eventRegistrations,
    notifications,
    unreadNotificationCount,
    notificationSubscriptions,
  },
  [BY_ID]: { EnrolledCourse: enrolledCourseById },
  Notification: notificationSource((id) => ({
    EnrolledCourse: enrolledCourseOf(id),
    PurchasedDigitalProduct: digitalProductOf(id),
    PurchasedConsultingService: consultingServiceOf(id),
    EventRegistration: eventRegistrationOf(id),
    Post: postOf(id),
  })),
  MarkNotificationReadPayload: { notification: { kind: 'one', from: { Notification: notificationOf(':id') } } },
  UpdateNotificationSubscriptionPayload: {
    subscription: { kind: 'one', from: { NotificationSubscription: notificationSubscriptionOf(':id') } },
  },
});

@Module({
  imports: [ApiModule],
  providers: [
    { provide: SourceCatalogue, useValue: catalogue },
    ViewerRepository,
    ViewerService,
    ViewerResolver,
    MemberQueries,
    ViewerTools,
  ],
  exports: [ViewerService, MemberQueries],
})
export class ViewerModule {}
