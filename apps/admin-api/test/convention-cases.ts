import type { Cases, Json } from '@lyceum/collections/conventions';
import { TEACHER, course, courseCases } from './course-cases.js';

const student = (unique: string): Json => ({
  email: `${unique}@example.com`,
  name: `Student ${unique}`,
  external_id: unique,
});

const students: Cases = {
  create: student,
  patch: { phone_number: '+886912345678', tags: ['a'], metadata: { a: 'b' } },
  unique: ['email', 'external_id'],
  readOnly: ['person_id', 'state', 'enrollments_count'],
  search: ({ external_id }) => String(external_id),
  filters: {
    state: [({ state }) => state, 'removed'],
    email: [({ email }) => email, 'none@example.com'],
    external_id: [({ external_id }) => external_id, 'none'],
  },
  personal: true,
  fenced: TEACHER,
  // No operation removes a student: auth does, so the matrix has none to restore. See roles.spec.ts.
  exempt: ['publishes exactly one event, and logs it once, with its actor: POST /api/v1/students/{id}/restore'],
};

const studentEnrollments: Cases = {
  create: async (unique, other) => ({ course_id: (await other('/api/v1/courses', course(unique)))['id'] }),
  patch: { expires_at: '2099-01-01T00:00:00.000Z' },
  readOnly: ['student_id', 'state', 'started_at', 'has_lifetime_access', 'completion_rate', 'completed_at'],
  fixed: ['course_id', 'plan_id', 'source'],
  derived: ['has_lifetime_access', 'grants', 'started_at', 'expires_at'],
  states: { member: 'state', initial: 'active', moves: { revoke: { active: 'revoked', revoked: 'revoked' } } },
  filters: {
    state: [({ state }) => state, 'expired'],
    course_id: [({ course_id }) => course_id, '019ab3c0-0000-7000-8000-000000000000'],
  },
  parent: { collection: 'students', create: student },
  personal: true,
  // A student has at most one enrollment in a course, so no list is long. An enrollment has no own key.
  exempt: ['serves', 'filters by time, own key and words'],
};

const progress: Cases = {
  create: async (unique, other, student_id) => {
    const { id: course_id } = await other('/api/v1/courses', course(unique));
    await other(`/api/v1/students/${student_id}/enrollments`, { course_id: String(course_id) });
    const { id: section_id } = await other('/api/v1/sections', { course_id, title: 'Section' });
    const { id: lecture_id } = await other('/api/v1/lectures', { section_id, slug: unique, title: 'Lecture' });
    return { course_id, lecture_id, position_seconds: 60, watched_at: new Date().toISOString(), completed: false };
  },
  readOnly: ['student_id', 'enrollment_id', 'lecture_title', 'completed_at'],
  distinct: ['lecture_id'],
  filters: {
    course_id: [({ course_id }) => course_id, '019ab3c0-0000-7000-8000-000000000000'],
    completed: [({ completed }) => completed, true],
  },
  parent: { collection: 'students', create: student },
  personal: true,
  // The instant of watching orders progress, and finds what is new. The key of a row is its lecture.
  exempt: ['sorts by creation and by change', 'filters by time, own key and words'],
};

const enrollments: Cases = {
  cause: async (unique, other) => {
    const { id: course_id } = await other('/api/v1/courses', course(unique));
    const { id } = await other('/api/v1/students', student(unique));
    return { method: 'POST', path: `/api/v1/students/${String(id)}/enrollments`, body: { course_id } };
  },
  readOnly: [],
  filters: {
    state: [({ state }) => state, 'expired'],
    course_id: [({ course_id }) => course_id, '019ab3c0-0000-7000-8000-000000000000'],
    student_id: [({ student_id }) => student_id, '019ab3c0-0000-7000-8000-000000000000'],
  },
  scopes: { 'GET /api/v1/enrollments': 'students:read', 'GET /api/v1/enrollments/{id}': 'students:read' },
  personal: true,
  // Each row needs a course and a student of its own: enrollment.repository.db.spec.ts proves the indexes.
  exempt: ['serves'],
};

/** Rules about changes and own keys, for objects that never change. */
const UNCHANGING = ['sorts by creation and by change', 'filters by time, own key and words'];

const school: Cases = { readOnly: [] };

const appearance: Cases = {
  patch: (unique) => ({ logo_url: `https://cdn.example.com/${unique}.png` }),
  readOnly: [],
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
};

const slug = ({ slug: value }: Json): string => String(value);

const digitalProducts: Cases = {
  row: (unique) => ({ slug: unique, name: `Product ${unique}`, price_amount_minor: 100, price_currency: 'TWD' }),
  unique: ['slug'],
  readOnly: [],
  search: slug,
  filters: { state: [({ state }) => state, 'archived'] },
};

const events: Cases = {
  row: (unique) => ({
    slug: unique,
    name: `Event ${unique}`,
    hosting_type: 'zoom',
    starts_at: '2027-01-01T00:00:00Z',
    ends_at: '2027-01-01T01:00:00Z',
    timezone: 'UTC',
  }),
  unique: ['slug'],
  readOnly: [],
  search: slug,
  filters: { state: [({ state }) => state, 'ended'] },
};

const membershipPlans: Cases = {
  row: (unique) => ({ slug: unique, name: `Plan ${unique}`, plan_type: 'recurring' }),
  unique: ['slug'],
  readOnly: [],
  search: slug,
  filters: { state: [({ state }) => state, 'archived'] },
};

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
    visible: [({ visible }) => visible, false],
    external_id: [({ external_id }) => external_id, 'none'],
  },
  personal: true,
  fenced: TEACHER,
};

const pages: Cases = {
  row: (unique) => ({ slug: unique, title: `Page ${unique}`, path_prefix: `/pages/${unique}` }),
  unique: ['slug'],
  readOnly: [],
  filters: { state: [({ state }) => state, 'unpublished'] },
};

/** Facts of each collection that the matrix cannot derive, by its name. */
export const conventionCases: Readonly<Record<string, Cases>> = {
  ...courseCases,
  students,
  'students/enrollments': studentEnrollments,
  'students/progress': progress,
  enrollments,
  digital_products: digitalProducts,
  events,
  membership_plans: membershipPlans,
  lecturers,
  pages,
  school,
  appearance,
  'appearance/revisions': revisions,
  activity,
};
