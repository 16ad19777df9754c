import { Action, Collection, Create, Get, List, Update } from '@lyceum/collections';
import type {
  ChangeRequest,
  CreateRequest,
  Created,
  ListRequest,
  ObjectRequest,
  OfParent,
  Written,
} from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { Enrollment } from './enrollment.entity.js';
import { enrollment } from './enrollment.schema.js';
import type { EnrollmentCreate, EnrollmentListQuery, EnrollmentPatch } from './enrollment.schema.js';
import { EnrollmentService } from './enrollment.service.js';

export const shownEnrollment = {
  resource: enrollment,
  view: { has_lifetime_access: ({ expires_at }: Enrollment) => expires_at === null },
  etag: ({ revision }: Enrollment) => rowTag(revision),
  personal: true,
};

@Collection<Enrollment>({
  ...shownEnrollment,
  name: 'enrollments',
  scope: 'students',
  parent: { name: 'students', one: 'student' },
  toolItem: ['id', 'course_id', 'state', 'source', 'started_at', 'expires_at', 'completion_rate'],
})
@Injectable()
export class EnrollmentOperations {
  constructor(private readonly enrollments: EnrollmentService) {}

  @List('listEnrollments', {
    summary: 'List the enrollments of a student',
    description: 'Enrollments of every state, with the progress of the student.',
    tool: {
      core: true,
      description:
        'Lists the courses that a student is or was enrolled in, newest first. Use it to see what a student has ' +
        'access to, and for the ids that update_enrollment and revoke_enrollment take.',
    },
  })
  list({ principal, parent_id, query }: ListRequest<EnrollmentListQuery> & OfParent): Promise<Page<Enrollment>> {
    return this.enrollments.list(principal, parent_id, query);
  }

  @Get('getEnrollment', {
    summary: 'Get an enrollment',
    description: 'Returns the state, the end of access and the progress.',
  })
  get({ principal, parent_id, id }: ObjectRequest & OfParent): Promise<Enrollment> {
    return this.enrollments.get(principal, parent_id, id);
  }

  @Create('createEnrollment', {
    summary: 'Enroll a student in a course',
    description:
      'Idempotent: a live enrollment stays as it is and is returned with 200. One that had ended is active again, with ' +
      '200 too. A course may be a draft, so that a cohort can be prepared; students see it once it is published.',
    existing: 'The enrollment that exists',
    knownBy: ['course_id'],
    problems: ['invalid_state'],
  })
  create({ principal, parent_id, body, tx }: CreateRequest<EnrollmentCreate> & OfParent): Promise<Created<Enrollment>> {
    return this.enrollments.enroll(principal, parent_id, body, tx);
  }

  @Update('updateEnrollment', {
    summary: 'Change when an enrollment ends',
    description:
      'JSON Merge Patch (RFC 7396). `expires_at` extends or shortens access, null makes it for life. One that has ' +
      'expired or was revoked is active again, with the progress that it has.',
    problems: ['invalid_state'],
    tool: {
      core: true,
      required: ['expires_at'],
      description:
        'Sets when the access of an enrollment ends; one that had ended is active again. Use it to extend or shorten ' +
        'access; revoke_enrollment ends it now.',
    },
  })
  update({
    principal,
    parent_id: student_id,
    body,
    tx,
    ...key
  }: ChangeRequest<EnrollmentPatch> & OfParent): Promise<Written<Enrollment>> {
    return this.enrollments.extend(principal, { ...key, student_id }, body, tx);
  }

  @Action('revokeEnrollment', 'revoke', {
    summary: 'Revoke an enrollment',
    description: 'Ends access now. Revoking twice changes nothing and returns 200; an expired one is refused.',
    ends: true,
    problems: ['invalid_state'],
    tool: {
      core: true,
      description:
        'Revokes an enrollment, so that access ends now; a second call changes nothing. Use it to take access away; ' +
        'update_enrollment gives it back.',
    },
  })
  revoke({ principal, parent_id: student_id, tx, ...key }: ChangeRequest & OfParent): Promise<Written<Enrollment>> {
    return this.enrollments.revoke(principal, { ...key, student_id }, tx);
  }
}
