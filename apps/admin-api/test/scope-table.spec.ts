import { OPERATOR_SCOPES } from '@lyceum/contracts';
import type { Json } from '@lyceum/collections/conventions';
import { builtDocument } from './described.js';

/** The operations that the design demands for each scope, by the words of its table. */
const OPERATIONS: Readonly<Record<string, string>> = {
  'courses:read': 'listCourses getCourse listCoursePlans listCourseReviews listCategories getCategory',
  'courses:write':
    'createCourse updateCourse deleteCourse publishCourse unpublishCourse archiveCourse duplicateCourse createCoursePlan ' +
    'updateCoursePlan deleteCoursePlan createConsultingService publishConsultingService createConsultingSlots',
  'curriculum:read': 'getCurriculum getSection getLecture',
  'curriculum:write':
    'createSection updateSection deleteSection createLecture updateLecture deleteLecture reorderCurriculum publishLecture',
  'students:read': 'listStudents getStudent listStudentEnrollments listStudentProgress listCourseEnrollments',
  'students:write':
    'createStudent updateStudent createEnrollment extendEnrollment expireEnrollment revokeEnrollment enrollStudents ' +
    'deleteStudent recordStudentProgress createBooking moveBooking cancelBooking completeBooking missBooking',
  'members:read': 'listMembers getMember listMemberPurchases',
  'members:write': 'inviteMember updateMember setMemberRoles suspendMember reinstateMember removeMember',
  'lecturers:read': 'listLecturers getLecturer',
  'lecturers:write': 'createLecturer updateLecturer deleteLecturer',
  'orders:read': 'listOrders getOrder',
  'subscriptions:read': 'listSubscriptions getSubscription',
  'subscriptions:write': 'createSubscription updateSubscription cancelSubscription resumeSubscription',
  'membership_plans:read': 'listMembershipPlans getMembershipPlan',
  'membership_plans:write': 'createMembershipPlan updateMembershipPlan archiveMembershipPlan',
  'coupons:read': 'listCoupons getCoupon getCouponByCode listCouponRedemptions',
  'coupons:write': 'createCoupon updateCoupon deactivateCoupon generateCoupons',
  'digital_products:read': 'listDigitalProducts getDigitalProduct listDigitalProductPurchases',
  'digital_products:write':
    'createDigitalProduct updateDigitalProduct publishDigitalProduct grantDigitalProductPurchase revokeDigitalProductPurchase',
  'events:read': 'listEvents getEvent listEventTickets listEventRegistrations getEventRegistration',
  'events:write':
    'createEvent updateEvent publishEvent cancelEvent createEventTicket updateEventTicket deleteEventTicket registerStudent ' +
    'registerStudents cancelEventRegistration checkInRegistration missRegistration',
  'posts:read': 'listPosts getPost listAnnouncements getAnnouncement',
  'posts:write':
    'createPost updatePost publishPost unpublishPost archivePost deletePost createAnnouncement updateAnnouncement ' +
    'scheduleAnnouncement sendAnnouncement',
  'pages:read': 'listPages getPage listPageDeployments getPageDeployment',
  'pages:write': 'createPage updatePage deletePage createPageDeployment promotePageDeployment rollBackPageDeployment',
  'comments:read': 'listComments getComment listCommentReplies',
  'forms:read': 'listForms getForm listFormSubmissions getFormSubmission',
  'analytics:read':
    'getAnalyticsOverview getAnalyticsRevenue getAnalyticsFunnel getAnalyticsMemberships getAnalyticsAttendance',
  'school:read': 'getSchool listWebhookEndpoints listWebhookDeliveries listActivity',
  'school:write': 'updateSchool createWebhookEndpoint updateWebhookEndpoint redeliverWebhook rotateWebhookSecret',
  'appearance:read': 'getAppearance listAppearanceRevisions',
  'appearance:write': 'updateAppearance restoreAppearanceRevision',
  'storage:write': 'createUpload completeUpload abortUpload',
};

/** Fields and states of events and content. */
const OBJECTS: Readonly<Record<string, { readonly fields: string; readonly states?: string }>> = {
  Event: {
    fields:
      'name slug description_html hosting_type join_url location starts_at ends_at timezone capacity registrations_count tickets',
    states: 'draft published live ended canceled',
  },
  EventTicket: { fields: 'id name price capacity sold_count' },
  EventRegistration: {
    fields: 'ticket_id student_id member_id state source registered_at checked_in_at',
    states: 'registered waitlisted checked_in no_show canceled',
  },
  Post: {
    fields:
      'title subtitle slug body_html excerpt cover_url access_type published_at category_id tags author_id external_id metadata',
    states: 'draft scheduled published archived',
  },
  Announcement: {
    fields: 'title body course_id membership_plan_id sends_at sent_at recipients_count',
    states: 'draft scheduled sent',
  },
  Page: {
    fields: 'slug title page_type path_prefix state live_deployment_id url',
    states: 'draft published unpublished',
  },
  PageDeployment: {
    fields: 'state faults bytes files_count created_by',
    states: 'queued ready live superseded failed',
  },
  Comment: {
    fields: 'commentable_type commentable_id parent_id student_id author_name body replies_count',
    states: 'pending visible hidden',
  },
  Form: { fields: 'title slug fields submissions_count active' },
  FormSubmission: { fields: 'answers submitted_at member_id' },
};

interface Operation {
  readonly operationId: string;
  readonly security: readonly { readonly oauth2: readonly string[] }[];
}
const document = JSON.parse(builtDocument('openapi.json')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties?: Record<string, Json> }> };
};
const operations = new Map(
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId, security }) => [operationId, security.flatMap(({ oauth2 }) => oauth2)]),
);
const tools = JSON.parse(builtDocument('tools.json')) as {
  readonly name: string;
  readonly audience: string;
  readonly scopes: readonly string[];
}[];
const words = (text: string): readonly string[] => text.split(' ');

it('lists each scope of an operator', () => {
  expect(Object.keys(OPERATIONS).toSorted()).toEqual([...OPERATOR_SCOPES].toSorted());
});

it.each(Object.entries(OPERATIONS))('opens the operations and tools of %s', (scope, row) => {
  for (const name of words(row)) expect([name, operations.get(name)]).toEqual([name, expect.arrayContaining([scope])]);
  const opened = tools.filter(({ scopes }) => scopes.includes(scope));
  expect(opened.length).toBeGreaterThan(0);
  for (const { name, audience } of opened) expect([name, audience]).toEqual([name, 'operator']);
});

it.each(Object.entries(OBJECTS))('describes the fields and states of %s', (name, { fields, states }) => {
  const { properties = {} } = document.components.schemas[name] ?? {};
  expect(Object.keys(properties)).toEqual(expect.arrayContaining([...words(fields)]));
  const known = (properties['state']?.['enum'] ?? []) as string[];
  if (states !== undefined) expect(known.toSorted()).toEqual(words(states).toSorted());
});

it('gives comments and forms no operation that writes, because the contract has no scope for it', () => {
  const written = Object.entries(document.paths).flatMap(([path, methods]) =>
    /^\/api\/v1\/(?:comments|forms|form_submissions)\b/.test(path) ? Object.keys(methods) : [],
  );
  expect(written.length).toBeGreaterThan(5);
  expect(new Set(written)).toEqual(new Set(['get']));
});
