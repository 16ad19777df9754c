import { Action, BulkOf, Collection, Create, Expand, Get, List, Update } from '@lyceum/collections';
import type {
  ChangeRequest,
  CreateRequest,
  Created,
  ExpandRequest,
  ListRequest,
  ObjectRequest,
  OfParent,
  Written,
} from '@lyceum/collections';
import type { ApiError } from '@lyceum/errors';
import { iso, rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { planOf } from './access.policy.js';
import { accessAt, grantsOf } from './enrollment.entity.js';
import type { Enrollment } from './enrollment.entity.js';
import { ENROLLMENT_STATES } from './enrollment.policy.js';
import { EnrollmentExpansions } from './enrollment.expansions.js';
import { enrollment, enrollmentExtension, enrollmentItem } from './enrollment.schema.js';
import type {
  EnrollmentCreate,
  EnrollmentExtension,
  EnrollmentItem,
  EnrollmentListQuery,
  EnrollmentPatch,
} from './enrollment.schema.js';
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
@Collection<Enrollment>({
  ...shownEnrollment,
  // A creation names the student, who is in the path of the same operation below a student.
  resource: { ...enrollment, create: enrollmentItem },
  name: 'enrollments',
  scope: 'students',
  toolItem: ['id', 'student_id', 'course_id', 'state', 'source', 'started_at', 'expires_at', 'completion_rate'],
})
@Injectable()
export class EnrollmentOperations {
  constructor(
    private readonly enrollments: EnrollmentService,
    private readonly expansions: EnrollmentExpansions,
  ) {}

  @List('listEnrollments', {
    summary: 'List enrollments',
    description: 'Enrollments of the site in every state, with their progress and their grants.',
    tool: {
      core: true,
      description:
        'Lists enrollments, newest first: all of this site, or those of a student, in a course or in a state. Use it ' +
        'to see who has access to what, and for the ids that update_enrollment and revoke_enrollment take.',
    },
  })
  list({ principal, query }: ListRequest<EnrollmentListQuery>): Promise<Page<Enrollment>> {
    return this.enrollments.list(principal, query);
  }

  @Get('getEnrollment', {
    summary: 'Get an enrollment',
    description: 'Returns the state, the end of access, the grants and the progress.',
  })
  get({ principal, id }: ObjectRequest): Promise<Enrollment> {
    return this.enrollments.get(principal, id);
  }

  @Create('enrollStudent', {
    summary: 'Enroll a student',
    description: `Enrolls the student of \`student_id\`. ${ENROLLING}`,
    existing: 'The enrollment that exists',
    knownBy: ['course_id', 'student_id'],
    problems: ['already_exists', 'invalid_state', 'not_found'],
  })
  enroll({
    principal,
    body: { student_id, ...body },
    tx,
  }: CreateRequest<EnrollmentItem>): Promise<Created<Enrollment>> {
    return this.enrollments.enroll(principal, student_id, body, tx);
  }

  @BulkOf('enrollStudents', {
    summary: 'Enroll students in courses',
    description:
      'Makes up to 200 enrollments, each as "Enroll a student in a course" does: all of them or none with `atomic`, ' +
      'else each by itself. An item whose student has access by hand on these terms is returned with 200; one with ' +
      'another plan or end gets `already_exists`. Needs the role owner or admin.',
    problems: ['forbidden'],
    body: enrollmentItem,
  })
  enrollAll({
    principal,
    body,
    tx,
  }: CreateRequest<readonly EnrollmentItem[]>): Promise<readonly (Created<Enrollment> | ApiError)[]> {
    return this.enrollments.enrollAll(principal, body, tx);
  }

  @Update('updateEnrollmentById', {
    summary: 'Change when an enrollment ends, by its id',
    description: UPDATING,
    problems: ['invalid_state'],
  })
  update({ principal, body, tx, ...key }: ChangeRequest<EnrollmentPatch>): Promise<Written<Enrollment>> {
    return this.enrollments.update(principal, key, body, tx);
  }

  @Action('extendEnrollmentById', 'extend', {
    summary: 'Extend an enrollment by days, by its id',
    description: EXTENDING,
    body: enrollmentExtension,
    problems: ['invalid_state'],
  })
  extend({ principal, body, tx, ...key }: ChangeRequest<EnrollmentExtension>): Promise<Written<Enrollment>> {
    return this.enrollments.extend(principal, key, body, tx);
  }

  @Action('expireEnrollmentById', 'expire', {
    summary: 'Expire an enrollment, by its id',
    description: EXPIRING,
    ends: true,
    problems: ['invalid_state'],
  })
  expire({ principal, tx, ...key }: ChangeRequest): Promise<Written<Enrollment>> {
    return this.enrollments.expire(principal, key, tx);
  }

  @Action('revokeEnrollmentById', 'revoke', {
    summary: 'Revoke an enrollment, by its id',
    description: REVOKING,
    ends: true,
    problems: ['invalid_state'],
  })
  revoke({ principal, tx, ...key }: ChangeRequest): Promise<Written<Enrollment>> {
    return this.enrollments.revoke(principal, key, tx);
  }

  @Expand('student')
  student({ principal, rows }: ExpandRequest<Enrollment>): Promise<ReadonlyMap<string, unknown>> {
    return this.expansions.studentsOf(principal, rows);
  }

  @Expand('course')
  course({ principal, rows }: ExpandRequest<Enrollment>): Promise<ReadonlyMap<string, unknown>> {
    return this.expansions.coursesOf(principal, rows);
  }
}

@Collection<Enrollment>({
  ...shownEnrollment,
  name: 'enrollments',
  scope: 'students',
  parent: { name: 'students', one: 'student' },
})
@Injectable()
export class StudentEnrollmentOperations {
  constructor(
    private readonly enrollments: EnrollmentService,
    private readonly expansions: EnrollmentExpansions,
  ) {}

  @List('listStudentEnrollments', {
    summary: 'List the enrollments of a student',
    description: 'Enrollments of every state, with the progress of the student.',
  })
  list({ principal, parent_id, query }: ListRequest<EnrollmentListQuery> & OfParent): Promise<Page<Enrollment>> {
    return this.enrollments.list(principal, query, { student_id: parent_id });
  }

  @Get('getStudentEnrollment', {
    summary: 'Get an enrollment of a student',
    description: 'Returns the state, the end of access, the grants and the progress.',
  })
  get({ principal, parent_id, id }: ObjectRequest & OfParent): Promise<Enrollment> {
    return this.enrollments.get(principal, id, { student_id: parent_id });
  }

  @Create('createEnrollment', {
    summary: 'Enroll a student in a course',
    description: ENROLLING,
    existing: 'The enrollment that exists',
    knownBy: ['course_id'],
    problems: ['already_exists', 'invalid_state'],
  })
  create({ principal, parent_id, body, tx }: CreateRequest<EnrollmentCreate> & OfParent): Promise<Created<Enrollment>> {
    return this.enrollments.enroll(principal, parent_id, body, tx);
  }

  @Update('updateEnrollment', {
    summary: 'Change when an enrollment ends',
    description: UPDATING,
    problems: ['invalid_state'],
    tool: {
      core: true,
      required: ['expires_at'],
      description:
        'Sets when the access of an enrollment ends; one that has expired is active again, and one that was revoked is ' +
        'refused. Use it to extend or shorten access; revoke_enrollment ends it now.',
    },
  })
  update({
    principal,
    parent_id: student_id,
    body,
    tx,
    ...key
  }: ChangeRequest<EnrollmentPatch> & OfParent): Promise<Written<Enrollment>> {
    return this.enrollments.update(principal, { ...key, student_id }, body, tx);
  }

  @Action('extendEnrollment', 'extend', {
    summary: 'Extend an enrollment by days',
    description: EXTENDING,
    body: enrollmentExtension,
    problems: ['invalid_state'],
    tool: {
      description:
        'Adds days to the access of an enrollment; one that has expired or was revoked is active again. Use it to give ' +
        'more time, or access again; update_enrollment sets the end itself.',
    },
  })
  extend({
    principal,
    parent_id: student_id,
    body,
    tx,
    ...key
  }: ChangeRequest<EnrollmentExtension> & OfParent): Promise<Written<Enrollment>> {
    return this.enrollments.extend(principal, { ...key, student_id }, body, tx);
  }

  @Action('expireEnrollment', 'expire', {
    summary: 'Expire an enrollment',
    description: EXPIRING,
    ends: true,
    problems: ['invalid_state'],
    tool: {
      description:
        'Ends the access of an enrollment now, as its time would; a second call changes nothing. Use it for a course ' +
        'that is over for a student; revoke_enrollment takes access away.',
    },
  })
  expire({ principal, parent_id: student_id, tx, ...key }: ChangeRequest & OfParent): Promise<Written<Enrollment>> {
    return this.enrollments.expire(principal, { ...key, student_id }, tx);
  }

  @Action('revokeEnrollment', 'revoke', {
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
  })
  revoke({ principal, parent_id: student_id, tx, ...key }: ChangeRequest & OfParent): Promise<Written<Enrollment>> {
    return this.enrollments.revoke(principal, { ...key, student_id }, tx);
  }

  @Expand('student')
  student({ principal, rows }: ExpandRequest<Enrollment>): Promise<ReadonlyMap<string, unknown>> {
    return this.expansions.studentsOf(principal, rows);
  }

  @Expand('course')
  course({ principal, rows }: ExpandRequest<Enrollment>): Promise<ReadonlyMap<string, unknown>> {
    return this.expansions.coursesOf(principal, rows);
  }
}
