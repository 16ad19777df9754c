export { CORNERS, FONT_FAMILIES, NO_THEME } from './theme.js';
export type { Theme } from './theme.js';
export {
  DEFAULT_COLORS,
  TEXT_CONTRAST,
  channelsOf,
  colorsOf,
  contrastRatio,
  luminance,
  unreadablePairs,
  wholeTheme,
} from './theme.policy.js';
export type { Colors } from './theme.policy.js';
export { listActivity } from './activity.js';
export type { ActivitySummary } from './activity.js';
export { announcementEvents } from './announcement.js';
export { appearanceEvents } from './appearance.js';
export { categoryEvents } from './categories.js';
export { commentEvents, postEvents } from './content.js';
export { subscriptionEvents } from './membership.js';
export { COURSE_PLAN_INTERVALS, COURSE_PLAN_TYPES, coursePlanEvents } from './course-plans.js';
export { courseEvents, enrollmentEvents, studentEvents } from './courses.js';
export { lecturerEvents } from './lecturers.js';
export { CURRICULUM_LIMITS, LECTURE_STATES, LECTURE_TYPES, curriculumEvents } from './curriculum.js';
export { digitalProductEvents, digitalProductGrantEvents } from './digital-products.js';
export { consultingMeetingEvents, consultingPurchaseEvents, consultingServiceEvents } from './consulting.js';
export { eventRegistrationEvents, eventEvents } from './learning-events.js';
export { progressEvents } from './progress.js';
export { STOREFRONT_COMMANDS, courseReferenceSchema, recordProgress, studentReferenceSchema } from './storefront.js';
export type { CourseReference, LectureReference, StudentReference } from './storefront.js';
