import type { EntityEvents } from '../platform/event.js';
import { announcementEvents } from './announcement.js';
import { categoryEvents } from './categories.js';
import { commentEvents } from './comments.js';
import { consultingServiceEvents } from './consulting.js';
import { postEvents } from './content.js';
import { couponEvents } from './coupons.js';
import { coursePlanEvents } from './course-plans.js';
import { courseEvents, enrollmentEvents, studentEvents } from './courses.js';
import { curriculumEvents } from './curriculum.js';
import { digitalProductEvents } from './digital-products.js';
import { formSubmissionEvents } from './forms.js';
import { eventEvents, eventRegistrationEvents } from './learning-events.js';
import { lecturerEvents } from './lecturers.js';
import { memberEvents } from './members.js';
import { membershipPlanEvents } from './membership-plans.js';
import { subscriptionEvents } from './membership.js';
import { orderEvents } from './orders.js';
import { pageEvents } from './pages.js';

/**
 * Entities of the school with events that operators receive, by the consumer of admin-api that reads them. Replicas of
 * the last release read its consumers during an upgrade, so an entity that is new here needs another consumer.
 */
export const PUBLIC_ENTITIES: Readonly<Record<'changes' | 'student-changes', readonly EntityEvents[]>> = {
  changes: [
    announcementEvents,
    categoryEvents,
    commentEvents,
    consultingServiceEvents,
    couponEvents,
    courseEvents,
    coursePlanEvents,
    curriculumEvents,
    digitalProductEvents,
    enrollmentEvents,
    eventEvents,
    eventRegistrationEvents,
    formSubmissionEvents,
    lecturerEvents,
    memberEvents,
    membershipPlanEvents,
    orderEvents,
    pageEvents,
    postEvents,
    subscriptionEvents,
  ],
  'student-changes': [studentEvents],
};
