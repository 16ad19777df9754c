import type { Cases, CreateOther, Json } from '@lyceum/collections/conventions';
import { TEACHER, course, scopesOf } from './course-cases.js';
import { student } from './student-body.js';
import { ADMINISTRATORS } from './unfenced.js';

const students: Cases = {
  create: student,
  patch: { phone_number: '+886912345678', tags: ['a'], metadata: { a: 'b' } },
  unique: ['email', 'external_id'],
  readOnly: ['person_id', 'state', 'enrollments_count', 'last_seen_at'],
  search: ({ external_id }) => String(external_id),
  filters: {
    state: [({ state }) => state, 'removed'],
    email: [({ email }) => email, 'none@example.com'],
    external_id: [({ external_id }) => external_id, 'none'],
    tag: [({ tags }) => (tags as unknown[])[0], 'none'],
  },
  personal: true,
  fenced: TEACHER,
  // No operation removes a student: auth does, so the matrix has none to restore. See roles.spec.ts.
  exempt: [
    'publishes exactly one event, and logs it once, with its actor: POST /api/v1/students/{id}/restore',
    // The mail is of auth: nothing changes at the school.
    'publishes exactly one event, and logs it once, with its actor: POST /api/v1/students/{id}/resend_invitation',
    'answers a tool call as the REST API does: resend_student_invitation',
  ],
};

/** Filters of each list of enrollments. */
const enrollmentFilters: Cases['filters'] = {
  state: [({ state }) => state, 'expired'],
  source: [({ source }) => source, 'import'],
  plan_id: [({ plan_id }) => plan_id, '019ab3c0-0000-7000-8000-000000000000'],
  has_begun: [() => false, true],
  external_id: [({ external_id }) => external_id, 'none'],
};

const PLAN = { name: 'Plan', plan_type: 'free' };

const courseWithPlan = async (unique: string, other: CreateOther): Promise<Json> => {
  const { id } = await other('/api/v1/courses', course(unique));
  const plan = await other(`/api/v1/courses/${String(id)}/plans`, PLAN);
  return { course_id: id, plan_id: plan['id'] };
};

/** Facts of enrollments, at their flat path and below a student. */
const enrollmentFacts: Cases = {
  patch: { expires_at: '2099-01-01T00:00:00.000Z', metadata: { a: 'b' } },
  unique: ['external_id'],
  readOnly: ['student_id', 'state', 'started_at', 'has_lifetime_access', 'completion_rate', 'completed_at'],
  fixed: ['course_id', 'plan_id', 'source'],
  derived: ['has_lifetime_access', 'grants', 'started_at', 'expires_at'],
  states: {
    member: 'state',
    initial: 'active',
    moves: {
      revoke: { active: 'revoked', revoked: 'revoked' },
      expire: { active: 'expired', expired: 'expired' },
    },
    sealed: ['revoked'],
  },
  bodies: { extend: { days: 30 } },
  personal: true,
};

const studentEnrollments: Cases = {
  ...enrollmentFacts,
  // An end, because access for life cannot be extended.
  create: async (unique, other) => ({
    ...(await courseWithPlan(unique, other)),
    expires_at: '2090-01-01T00:00:00.000Z',
    external_id: unique,
  }),
  filters: {
    ...enrollmentFilters,
    course_id: [({ course_id }) => course_id, '019ab3c0-0000-7000-8000-000000000000'],
  },
  parent: { collection: 'students', create: student },
  // A student has at most one enrollment in a course, so no list is long.
  exempt: [
    'serves',
    'sends one statement for an expansion',
    // Each request adds days.
    'publishes nothing when nothing changes: POST /api/v1/students/{student_id}/enrollments/{enrollment_id}/extend',
  ],
  fenced: TEACHER,
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
  // The instant of watching orders progress in place of that of the creation. The key of a row is its lecture.
  exempt: ['sorts by creation and by change', 'filters by time, own key and words'],
  fenced: TEACHER,
};

const studentInCourse: Cases['create'] = async (unique, other) => ({
  ...(await courseWithPlan(unique, other)),
  student_id: (await other('/api/v1/students', student(unique)))['id'],
  expires_at: '2090-01-01T00:00:00.000Z',
  external_id: unique,
});

const enrollments: Cases = {
  ...enrollmentFacts,
  create: studentInCourse,
  // A repeated item returns the enrollment of the first one.
  item: studentInCourse,
  references: ['student_id'],
  readOnly: enrollmentFacts.readOnly.filter((member) => member !== 'student_id'),
  fixed: [...(enrollmentFacts.fixed ?? []), 'student_id'],
  filters: {
    ...enrollmentFilters,
    course_id: [({ course_id }) => course_id, '019ab3c0-0000-7000-8000-000000000000'],
    student_id: [({ student_id }) => student_id, '019ab3c0-0000-7000-8000-000000000000'],
  },
  scopes: scopesOf('enrollments', 'students', ['extend', 'expire', 'revoke']),
  // Each row needs a course and a student of its own: enrollment.repository.db.spec.ts proves the indexes.
  exempt: [
    'serves',
    'sends one statement for an expansion',
    // Each request adds days.
    'publishes nothing when nothing changes: POST /api/v1/enrollments/{id}/extend',
  ],
  fenced: TEACHER,
};

const courseEnrollments: Cases = {
  cause: async (unique, other, course_id) => {
    const { id: plan_id } = await other(`/api/v1/courses/${course_id}/plans`, PLAN);
    const { id } = await other('/api/v1/students', student(unique));
    return {
      method: 'POST',
      path: `/api/v1/students/${String(id)}/enrollments`,
      body: { course_id, plan_id, external_id: unique },
    };
  },
  readOnly: [],
  filters: {
    ...enrollmentFilters,
    student_id: [({ student_id }) => student_id, '019ab3c0-0000-7000-8000-000000000000'],
  },
  parent: { collection: 'courses', create: course },
  scopes: { 'GET /api/v1/courses/{course_id}/enrollments': 'students:read' },
  personal: true,
  fenced: TEACHER,
  // Each row needs a student of its own. The index is enrollments_by_course, which the filter course_id has.
  exempt: ['serves', 'sends one statement for an expansion'],
};

const members: Cases = {
  // Without the role student, which would add a student, too.
  create: (unique) => ({
    email: `${unique}@example.com`,
    name: `Member ${unique}`,
    roles: ['teaching_assistant'],
    external_id: unique,
    tags: [unique],
  }),
  bodies: { roles: { roles: ['lecturer', 'teaching_assistant'] } },
  derived: ['joined_at'],
  // member-fields.spec.ts changes custom_fields, which need settings of the school.
  patch: { phone_number: '+886912345678', metadata: { a: 'b' }, tags: ['a'] },
  unique: ['external_id'],
  distinct: ['person_id', 'email'],
  readOnly: ['state', 'joined_at', 'person_id', 'total_spent', 'enrollments_count', 'last_seen_at'],
  fixed: ['email', 'roles'],
  states: {
    member: 'state',
    initial: 'active',
    moves: {
      suspend: { active: 'suspended', suspended: 'suspended' },
      reinstate: { suspended: 'active', active: 'active' },
      remove: { active: 'removed', suspended: 'removed', removed: 'removed' },
    },
    sealed: ['removed'],
  },
  search: ({ external_id }) => String(external_id),
  filters: {
    state: [({ state }) => state, 'invited'],
    role: [({ roles }) => (roles as unknown[])[0], 'lecturer'],
    email: [({ email }) => email, 'none@example.com'],
    external_id: [({ external_id }) => external_id, 'none'],
    tag: [({ tags }) => (tags as unknown[])[0], 'none'],
  },
  personal: true,
  // The id is `sub` of tokens, which is random: members.spec.ts reads the place of a new member.
  exempt: ['answers 201 with the place of the object'],
  unfenced: ADMINISTRATORS,
};

export const peopleCases: Readonly<Record<string, Cases>> = {
  students,
  'students/enrollments': studentEnrollments,
  'students/progress': progress,
  'courses/enrollments': courseEnrollments,
  enrollments,
  members,
};
