import { Collection, Expand, List } from '@lyceum/collections';
import type { ExpandRequest, ListRequest, OfParent } from '@lyceum/collections';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { CourseService } from '#src/courses/course.service.js';
import type { Enrollment } from './enrollment.entity.js';
import { EnrollmentExpansions } from './enrollment.expansions.js';
import { shownEnrollment } from './enrollment.operations.js';
import type { EnrollmentListQuery } from './enrollment.schema.js';
import { EnrollmentService } from './enrollment.service.js';

@Collection<Enrollment>({
  ...shownEnrollment,
  name: 'enrollments',
  scope: 'students',
  parent: { name: 'courses', one: 'course' },
})
@Injectable()
export class CourseEnrollmentOperations {
  constructor(
    private readonly enrollments: EnrollmentService,
    private readonly courses: CourseService,
    private readonly expansions: EnrollmentExpansions,
  ) {}

  @List('listCourseEnrollments', {
    summary: 'List the enrollments in a course',
    description: 'Returns enrollments of every state, with the progress of each student. Needs `students:read`.',
  })
  async list({ principal, parent_id, query }: ListRequest<EnrollmentListQuery> & OfParent): Promise<Page<Enrollment>> {
    const page = await this.enrollments.list(principal, query, { course_id: parent_id });
    // A page with rows proves that the course exists.
    if (page.rows.length === 0) await this.courses.get(principal, parent_id);
    return page;
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
