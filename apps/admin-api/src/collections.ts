import type { CollectionModule } from '@lyceum/collections';
import { ActivityModule } from './activity/activity.module.js';
import { AnalyticsModule } from './analytics/analytics.module.js';
import { AnnouncementModule } from './announcements/announcement.module.js';
import { AttachmentModule } from './attachments/attachment.module.js';
import { AppearanceModule } from './appearance/appearance.module.js';
import { CategoryModule } from './categories/category.module.js';
import { ChangeModule } from './changes/change.module.js';
import { CouponModule } from './coupons/coupon.module.js';
import { CourseCopyModule } from './course-copies/course-copy.module.js';
import { CoursePlanModule } from './course-plans/course-plan.module.js';
import { CourseReviewModule } from './course-reviews/course-review.module.js';
import { CourseUpdatesModule } from './course-updates/course-updates.module.js';
import { CommentModule } from './comments/comment.module.js';
import { BookingModule } from './consulting-bookings/booking.module.js';
import { ConsultingPurchaseModule } from './consulting-purchases/consulting-purchase.module.js';
import { ConsultingServiceModule } from './consulting-services/consulting-service.module.js';
import { SlotModule } from './consulting-slots/slot.module.js';
import { CourseModule } from './courses/course.module.js';
import { CurriculumModule } from './curriculum/curriculum.module.js';
import { DigitalProductGrantModule } from './digital-product-grants/digital-product-grant.module.js';
import { DigitalProductModule } from './digital-products/digital-product.module.js';
import { EnrollmentModule } from './enrollments/enrollment.module.js';
import { RegistrationModule } from './event-registrations/registration.module.js';
import { EventTicketModule } from './event-tickets/event-ticket.module.js';
import { EventModule } from './events/event.module.js';
import { ExportModule } from './exports/export.module.js';
import { FileModule } from './files/file.module.js';
import { FormSubmissionModule } from './form-submissions/form-submission.module.js';
import { FormModule } from './forms/form.module.js';
import { ImportModule } from './imports/import.module.js';
import { LecturerModule } from './lecturers/lecturer.module.js';
import { MemberModule } from './members/member.module.js';
import { MembershipPlanModule } from './membership-plans/membership-plan.module.js';
import { OrderModule } from './orders/order.module.js';
import { PageDeploymentModule } from './page-deployments/page-deployment.module.js';
import { PageModule } from './pages/page.module.js';
import { PostModule } from './posts/post.module.js';
import { ProgressModule } from './progress/progress.module.js';
import { SchoolSettingsModule } from './school/school-settings.module.js';
import { StudentModule } from './students/student.module.js';
import { SubscriptionModule } from './subscriptions/subscription.module.js';
import { TextModule } from './texts/text.module.js';
import { WebhookDeliveryModule } from './webhook-deliveries/webhook-delivery.module.js';
import { WebhookEndpointModule } from './webhook-endpoints/webhook-endpoint.module.js';

/**
 * The collections of the operator API, in the order of the OpenAPI document. The service takes modules, entities,
 * migrations, routes, tools and republications from this list. A collection follows those that its events refer to.
 */
export const collections: readonly CollectionModule[] = [
  CategoryModule,
  CourseModule,
  CourseCopyModule,
  CourseUpdatesModule,
  CoursePlanModule,
  StudentModule,
  EnrollmentModule,
  CourseReviewModule,
  CurriculumModule,
  AttachmentModule,
  TextModule,
  ProgressModule,
  CommentModule,
  DigitalProductModule,
  DigitalProductGrantModule,
  EventModule,
  EventTicketModule,
  RegistrationModule,
  MembershipPlanModule,
  SubscriptionModule,
  LecturerModule,
  MemberModule,
  ConsultingServiceModule,
  SlotModule,
  ConsultingPurchaseModule,
  BookingModule,
  CouponModule,
  OrderModule,
  PostModule,
  AnnouncementModule,
  AnalyticsModule,
  PageModule,
  PageDeploymentModule,
  FormModule,
  FormSubmissionModule,
  SchoolSettingsModule,
  WebhookEndpointModule,
  WebhookDeliveryModule,
  AppearanceModule,
  FileModule,
  ExportModule,
  ImportModule,
  ActivityModule,
  ChangeModule,
];
