import { collection } from '@lyceum/collections';
import { copyOf, iso, rowTag } from '@lyceum/rest';
import { planOf } from './access.policy.js';
import { accessAt, grantsOf, Enrollment } from './enrollment.entity.js';
import { ENROLLMENT_STATES } from './enrollment.policy.js';
import { EnrollmentExpansions } from './enrollment.expansions.js';
import { enrollment, enrollmentExtension, enrollmentItem } from './enrollment.schema.js';
import { EnrollmentService } from './enrollment.service.js';
import { ENROLLING, EXPIRING, EXTENDING, REVOKING, UPDATING } from './enrollment.texts.js';

export const shownEnrollment = {
  resource: enrollment,
  view: {
    state: (row: Enrollment) => accessAt(row).state,
    started_at: (row: Enrollment) => accessAt(row).started_at,
    expires_at: (row: Enrollment) => accessAt(row).expires_at,
    has_lifetime_access: (row: Enrollment) => accessAt(row).expires_at === null,
    last_watched: ({ last_watched: last }: Enrollment) =>
      last && { ...last, watched_at: iso(new Date(last.watched_at)) },
    plan_id: ({ grants }: Enrollment) => planOf(grants),
    grants: (row: Enrollment) =>
      grantsOf(row).map(({ starts_at, ends_at, revoked_at, ...grant }) => ({
        ...grant,
        starts_at: iso(starts_at),
        ends_at: iso(ends_at),
        revoked_at: iso(revoked_at),
      })),
  },
  // Time changes the state without an edit, and so does progress.
  etag: (row: Enrollment) =>
    rowTag(row.revision, ENROLLMENT_STATES.indexOf(accessAt(row).state), row.updated_at.getTime()),
  personal: true,
};

/** Operations on all enrollments of the site. */
export const enrollmentCollection = collection({
  ...shownEnrollment,
  service: [EnrollmentService, EnrollmentExpansions],
  row: Enrollment,
  // A creation names the student, who is in the path of the same operation below a student.
  resource: copyOf(enrollment, { create: enrollmentItem }),
  name: 'enrollments',
  scope: 'students',
  toolItem: [
    'id',
    'student_id',
    'course_id',
    'state',
    'source',
    'started_at',
    'expires_at',
    'completion_rate',
    'last_watched',
  ],
  operations: {
    list: {
      id: 'listEnrollments',
      summary: 'List enrollments',
      description: 'Enrollments of the site in every state, with their progress and their grants.',
      tool: {
        core: true,
        description:
          'Lists enrollments, newest first: all of this site, or those of a student, in a course, in a state, or not ' +
          'begun. Use it to see who has access and who has watched what, and for the ids of update_enrollment.',
      },
      run: ([enrollments], { principal, query }) => enrollments.list(principal, query),
    },
    get: {
      id: 'getEnrollment',
      summary: 'Get an enrollment',
      description: 'Returns the state, the end of access, the grants and the progress.',
      run: ([enrollments], { principal, id }) => enrollments.get(principal, id),
    },
    create: {
      id: 'enrollStudent',
      summary: 'Enroll a student',
      description: `Enrolls the student of \`student_id\`. ${ENROLLING}`,
      existing: 'The enrollment that exists',
      knownBy: ['course_id', 'student_id'],
      problems: ['already_exists', 'forbidden', 'invalid_state', 'not_found'],
      run: ([enrollments], { principal, body: { student_id, ...body }, tx }) =>
        enrollments.enroll(principal, student_id, body, tx),
    },
    bulk: {
      id: 'enrollStudents',
      summary: 'Enroll students in courses',
      description:
        'Makes up to 200 enrollments, each as "Enroll a student in a course" does: all of them or none with `atomic`, ' +
        'else each by itself. An item whose student has access by hand on these terms is returned with 200; one with ' +
        'another plan or end gets `already_exists`. Needs the role owner or admin.',
      problems: ['already_exists', 'forbidden'],
      body: enrollmentItem,
      run: ([enrollments], { principal, body, tx }) => enrollments.enrollAll(principal, body, tx),
    },
    update: {
      id: 'updateEnrollmentById',
      summary: 'Update an enrollment, by its id',
      description: UPDATING,
      problems: ['already_exists', 'invalid_state'],
      run: ([enrollments], { principal, body, tx, ...key }) => enrollments.update(principal, key, body, tx),
    },
    actions: {
      extend: {
        id: 'extendEnrollmentById',
        summary: 'Extend an enrollment, by its id',
        description: EXTENDING,
        body: enrollmentExtension,
        repeats: true,
        problems: ['invalid_state'],
        run: ([enrollments], { principal, body, tx, ...key }) => enrollments.extend(principal, key, body, tx),
      },
      expire: {
        id: 'expireEnrollmentById',
        summary: 'Expire an enrollment, by its id',
        description: EXPIRING,
        ends: true,
        problems: ['invalid_state'],
        run: ([enrollments], { principal, tx, ...key }) => enrollments.expire(principal, key, tx),
      },
      revoke: {
        id: 'revokeEnrollmentById',
        summary: 'Revoke an enrollment, by its id',
        description: REVOKING,
        ends: true,
        problems: ['invalid_state'],
        run: ([enrollments], { principal, tx, ...key }) => enrollments.revoke(principal, key, tx),
      },
    },
    expand: {
      student: ([, expansions], { principal, rows }) => expansions.studentsOf(principal, rows),
      course: ([, expansions], { principal, rows }) => expansions.coursesOf(principal, rows),
    },
  },
});

export const studentEnrollmentCollection = collection({
  ...shownEnrollment,
  name: 'enrollments',
  scope: 'students',
  service: [EnrollmentService, EnrollmentExpansions],
  row: Enrollment,
  parent: { name: 'students', one: 'student' },
  operations: {
    list: {
      id: 'listStudentEnrollments',
      summary: 'List the enrollments of a student',
      description: 'Enrollments of every state, with the progress of the student.',
      run: ([enrollments], { principal, parent_id, query }) =>
        enrollments.list(principal, query, { student_id: parent_id }),
    },
    get: {
      id: 'getStudentEnrollment',
      summary: 'Get an enrollment of a student',
      description: 'Returns the state, the end of access, the grants and the progress.',
      run: ([enrollments], { principal, parent_id, id }) => enrollments.get(principal, id, { student_id: parent_id }),
    },
    create: {
      id: 'createEnrollment',
      summary: 'Enroll a student in a course',
      description: ENROLLING,
      existing: 'The enrollment that exists',
      knownBy: ['course_id'],
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      run: ([enrollments], { principal, parent_id, body, tx }) => enrollments.enroll(principal, parent_id, body, tx),
    },
    update: {
      id: 'updateEnrollment',
      summary: 'Update an enrollment',
      description: UPDATING,
      problems: ['already_exists', 'invalid_state'],
      tool: {
        core: true,
        description:
          'Sets when the access of an enrollment ends, or your own data of it; an expired one is active again, and the end ' +
          'of a revoked one stays. Use it to extend or shorten access; revoke_enrollment ends it now.',
      },
      run: ([enrollments], { principal, parent_id: student_id, body, tx, ...key }) =>
        enrollments.update(principal, { ...key, student_id }, body, tx),
    },
    actions: {
      extend: {
        id: 'extendEnrollment',
        summary: 'Extend an enrollment',
        description: EXTENDING,
        body: enrollmentExtension,
        repeats: true,
        problems: ['invalid_state'],
        tool: {
          description:
            'Extends the access of an enrollment by days, until expires_at, or for life with null; one that has expired or ' +
            'was revoked is active again. Use it to give more time, or access again; each call adds the days, unless it has ' +
            'the idempotency_key of an earlier one; update_enrollment can shorten it.',
        },
        run: ([enrollments], { principal, parent_id: student_id, body, tx, ...key }) =>
          enrollments.extend(principal, { ...key, student_id }, body, tx),
      },
      expire: {
        id: 'expireEnrollment',
        summary: 'Expire an enrollment',
        description: EXPIRING,
        ends: true,
        problems: ['invalid_state'],
        tool: {
          description:
            'Ends the access of an enrollment now, as its time would; a second call changes nothing. Use it for a course ' +
            'that is over for a student; revoke_enrollment takes access away.',
        },
        run: ([enrollments], { principal, parent_id: student_id, tx, ...key }) =>
          enrollments.expire(principal, { ...key, student_id }, tx),
      },
      revoke: {
        id: 'revokeEnrollment',
        summary: 'Revoke an enrollment',
        description: REVOKING,
        ends: true,
        problems: ['invalid_state'],
        tool: {
          core: true,
          description:
            'Revokes an enrollment, so that access ends now; a second call changes nothing. Use it to take access away; ' +
            'extend_enrollment gives it back.',
        },
        run: ([enrollments], { principal, parent_id: student_id, tx, ...key }) =>
          enrollments.revoke(principal, { ...key, student_id }, tx),
      },
    },
    expand: {
      student: ([, expansions], { principal, rows }) => expansions.studentsOf(principal, rows),
      course: ([, expansions], { principal, rows }) => expansions.coursesOf(principal, rows),
    },
  },
});
