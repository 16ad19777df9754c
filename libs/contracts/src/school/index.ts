export { CORNERS, FONT_FAMILIES, NO_THEME, themeSchema } from './theme.js';
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
export type { ColorName, Colors } from './theme.policy.js';
export { listActivity } from './activity.js';
export type { ActivitySummary } from './activity.js';
export { announcementEvents } from './announcement.js';
export { appearanceEvents } from './appearance.js';
export { categoryEvents } from './categories.js';
export {
  COMMENTABLE_TYPES,
  COMMENT_ACTIONS,
  COMMENT_LIMITS,
  COMMENT_STATES,
  commentEvents,
  moderateComment,
  postComment,
} from './comments.js';
export { POST_ACCESS_TYPES, postEvents } from './content.js';
export { subscriptionEvents } from './membership.js';
export { couponEvents } from './coupons.js';
export { COURSE_PLAN_INTERVALS, COURSE_PLAN_TYPES, coursePlanEvents } from './course-plans.js';
export { courseEvents, enrollmentEvents, studentEvents } from './courses.js';
export { DATA_FORMATS, EXPORT_COLLECTIONS, EXPORT_STATES, exportEvents } from './exports.js';
export { FILE_PURPOSES, FILE_STATES, fileEvents, linkFile } from './files.js';
export { FORM_FIELD_TYPES, FORM_LIMITS, defineForm, formEvents, formSubmissionEvents, submitForm } from './forms.js';
export type { FormAnswer, FormAnswers, FormField, FormFieldType } from './forms.js';
export { IMPORT_COLLECTIONS, IMPORT_STATES, importEvents } from './imports.js';
export { lecturerEvents } from './lecturers.js';
export { memberEvents } from './members.js';
export {
  ATTACHMENT_KINDS,
  CURRICULUM_LIMITS,
  LECTURE_STATES,
  LECTURE_TYPES,
  curriculumEvents,
  lectureAttachmentEvents,
} from './curriculum.js';
export { MEMBERSHIP_PLAN_TYPES, membershipPlanEvents } from './membership-plans.js';
export { digitalProductEvents, digitalProductGrantEvents } from './digital-products.js';
export {
  consultingBookingEvents,
  consultingPurchaseEvents,
  consultingServiceEvents,
  consultingSlotEvents,
} from './consulting.js';
export { HOSTING_TYPES, eventRegistrationEvents, eventEvents } from './learning-events.js';
export type { HostingType } from './learning-events.js';
export {
  ORDER_ITEM_TYPES,
  ORDER_LIMITS,
  ORDER_STATES,
  RECORDED_ORDER_STATES,
  orderEvents,
  recordOrder,
  refundOrder,
} from './orders.js';
export type { OrderItemType } from './orders.js';
export { pageEvents } from './pages.js';
export { progressEvents } from './progress.js';
export { PUBLIC_ENTITIES } from './public-entities.js';
export { reviewEvents } from './reviews.js';
export {
  PAGE_PICTURE_BYTES,
  SITE_SETTINGS_REQUESTS,
  changeAppearance,
  changeSchool,
  getSiteSettings,
  storePicture,
} from './site-settings.js';
export { MEMBER_FIELD_LIMITS, MEMBER_FIELD_TYPES, schoolEvents, switchMcpConnections } from './school.js';
export {
  REVIEW_LIMITS,
  STOREFRONT_COMMANDS,
  cancelBooking,
  cancelRegistration,
  courseReferenceSchema,
  makeBooking,
  makeRegistration,
  moveBooking,
  postReview,
  recordProgress,
} from './storefront.js';
export { studentReferenceSchema } from './command-values.js';
export type { StudentReference } from './command-values.js';
export type {
  CourseReference,
  EventReference,
  LectureReference,
  SlotReference,
  TicketReference,
} from './storefront.js';
export { MEMBER_TEXTS, TEXT_PIECE_LENGTH, textEvents } from './texts.js';
export {
  WEBHOOK_DELIVERY_STATES,
  WEBHOOK_ENDPOINT_REASONS,
  WEBHOOK_ENDPOINT_STATES,
  webhookEndpointEvents,
} from './webhooks.js';
export { SCHOOL_DATA_SECTIONS, exportSchoolData } from './personal-data.js';
export type { SchoolDataSection } from './personal-data.js';
