import { PEOPLE } from '@lyceum/collections/conventions';
import type { Cases, Json } from '@lyceum/collections/conventions';
import { commentCases } from './comment-cases.js';
import { consultingCases } from './consulting-cases.js';
import { couponCases } from './coupon-cases.js';
import { TEACHER, course, courseCases, scopesOf } from './course-cases.js';
import { digitalProductCases } from './digital-product-cases.js';
import { eventCases } from './event-cases.js';
import { exportCases } from './export-cases.js';
import { flatPathCases } from './flat-cases.js';
import { formCases } from './form-cases.js';
import { importCases } from './import-cases.js';
import { membershipPlanCases } from './membership-plan-cases.js';
import { orderCases } from './order-cases.js';
import { pageCases } from './page-cases.js';
import { peopleCases } from './people-cases.js';
import { postCases } from './post-cases.js';
import { student } from './student-body.js';
import { subscriptionCases } from './subscription-cases.js';
import { webhookCases } from './webhook-cases.js';
import { ADMINISTRATORS, EVERY_OPERATOR } from './unfenced.js';

const NONE = '019ab3c0-0000-7000-8000-000000000000';

const reviews: Cases = {
  row: async (unique, other, course_id) => {
    const { id: student_id } = await other('/api/v1/students', student(unique));
    const { id: enrollment_id } = await other(`/api/v1/students/${String(student_id)}/enrollments`, { course_id });
    return { course_id, student_id, enrollment_id, rating: 5, body: 'Text', reviewed_at: new Date().toISOString() };
  },
  table: 'course_reviews',
  distinct: ['student_id'],
  readOnly: [],
  filters: { rating: [({ rating }) => rating, 1], student_id: [({ student_id }) => student_id, NONE] },
  parent: { collection: 'courses', create: course },
  scopes: { 'GET /api/v1/courses/{course_id}/reviews': 'courses:read' },
  personal: true,
  fenced: TEACHER,
};

const { parent: _course, ...reviewFacts } = reviews;
const reviewsOfCourses: Cases = {
  ...reviewFacts,
  row: async (unique, other) => {
    const { id } = await other('/api/v1/courses', course(unique));
    return reviews.row?.(unique, other, String(id)) ?? {};
  },
  filters: { ...reviews.filters, course_id: [({ course_id }) => course_id, NONE] },
  scopes: scopesOf('course_reviews', 'courses'),
};

/** Rules about changes and own keys, for objects that never change. */
const UNCHANGING = ['sorts by creation and by change', 'filters by time, own key and words'];

const school: Cases = {
  patch: (unique) => ({ name: `School ${unique}` }),
  readOnly: ['id', 'url'],
  unfenced: EVERY_OPERATOR,
};

const appearance: Cases = {
  patch: (unique) => ({ logo_url: `https://cdn.example.com/${unique}.png` }),
  readOnly: [],
  unfenced: EVERY_OPERATOR,
};

const revisions: Cases = {
  cause: (unique) => ({
    method: 'PATCH',
    path: '/api/v1/appearance',
    body: { logo_url: `https://cdn.example.com/${unique}.png` },
  }),
  matches: '/api/v1/appearance',
  readOnly: [],
  // A site has 50 revisions at most. A revision never changes.
  exempt: ['serves', ...UNCHANGING],
  unfenced: EVERY_OPERATOR,
};

const activity: Cases = {
  cause: (unique) => ({ method: 'POST', path: '/api/v1/courses', body: course(unique) }),
  readOnly: [],
  filters: {
    object_type: [({ object_type }) => object_type, 'none'],
    object_id: [({ object_id }) => object_id, '019ab3c0-0000-7000-8000-000000000000'],
    action: [({ action }) => action, 'none'],
    member_id: [({ actor }) => (actor as Json)['member_id'], '019ab3c0-0000-7000-8000-000000000000'],
  },
  scopes: { 'GET /api/v1/activity': 'school:read' },
  personal: true,
  exempt: UNCHANGING,
  unfenced: ADMINISTRATORS,
};

const slug = ({ slug: value }: Json): string => String(value);

const lecturers: Cases = {
  create: (unique) => ({
    slug: unique,
    name: `Lecturer ${unique}`,
    visible: true,
    social_links: [{ network: 'web', url: 'https://example.com/lecturer' }],
    external_id: unique,
  }),
  patch: { title: 'Painter', social_links: [], metadata: { a: 'b' } },
  unique: ['slug', 'external_id'],
  readOnly: ['person_id'],
  search: slug,
  filters: {
    slug: [slug, 'none'],
    visible: [({ visible }) => visible, false],
    external_id: [({ external_id }) => external_id, 'none'],
  },
  personal: true,
  fenced: TEACHER,
};

const uploads: Cases = {
  create: (unique) => ({
    purpose: 'attachment',
    filename: `${unique}.csv`,
    content_type: 'text/csv',
    bytes: 3,
    sha256: '0'.repeat(64),
  }),
  readOnly: ['state', 'rejection', 'upload_url', 'headers', 'expires_at', 'url'],
  scopes: {
    'POST /api/v1/uploads': 'storage:write',
    'GET /api/v1/uploads/{id}': 'storage:write',
    'POST /api/v1/uploads/{id}/complete': 'storage:write',
    'POST /api/v1/uploads/{id}/abort': 'storage:write',
  },
  // They end with the link, and a dry run has none.
  derived: ['upload_url', 'headers', 'expires_at'],
  personal: true,
  own: true,
  fenced: { roles: ['owner'], person_id: PEOPLE[1] ?? '' },
  // The bytes of a file come by its link, which the matrix does not follow: uploads.spec.ts completes uploads.
  exempt: [
    'needs the scope that the contract names: POST /api/v1/uploads/{id}/complete',
    'returns the entity tag that the object has: POST /api/v1/uploads/{id}/complete',
    'refuses a stale entity tag with 412: POST /api/v1/uploads/{id}/complete',
    'refuses the entity tag of the object in If-None-Match with 412: POST /api/v1/uploads/{id}/complete',
    'says how many requests are left: POST /api/v1/uploads/{id}/complete',
    'repeats the response of an idempotency key: POST /api/v1/uploads/{id}/complete',
    'refuses a stale if_match of a tool with precondition_failed: complete_upload',
    'changes nothing in a dry run and answers like the real one: POST /api/v1/uploads/{id}/complete',
    'publishes exactly one event, and logs it once, with its actor: POST /api/v1/uploads/{id}/complete',
    'publishes nothing when nothing changes: POST /api/v1/uploads/{id}/complete',
    'answers a tool call as the REST API does: complete_upload',
    'changes nothing in a dry run of a tool and answers like the real one: complete_upload',
    'refuses a tool call without its scope: complete_upload',
  ],
};

/** Facts of each collection that the matrix cannot derive, by its name. */
export const conventionCases: Readonly<Record<string, Cases>> = {
  ...courseCases,
  ...commentCases,
  ...consultingCases,
  ...couponCases,
  ...orderCases,
  ...peopleCases,
  'courses/reviews': reviews,
  course_reviews: reviewsOfCourses,
  ...digitalProductCases,
  ...eventCases,
  ...formCases,
  membership_plans: membershipPlanCases,
  lecturers,
  ...pageCases,
  ...postCases,
  school,
  subscriptions: subscriptionCases,
  appearance,
  'appearance/revisions': revisions,
  uploads,
  exports: exportCases,
  imports: importCases,
  activity,
  ...webhookCases,
  ...flatPathCases,
};
