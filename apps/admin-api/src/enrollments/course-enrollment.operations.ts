import { collection } from '@lyceum/collections';
import { listBelow } from '@lyceum/rest';
import { CourseService } from '#src/courses/course.service.js';
import { Enrollment } from './enrollment.entity.js';
import { EnrollmentExpansions } from './enrollment.expansions.js';
import { shownEnrollment } from './enrollment.operations.js';
import { EnrollmentService } from './enrollment.service.js';

export const courseEnrollmentCollection = collection({
  ...shownEnrollment,
  name: 'enrollments',
  scope: 'students',
  service: [EnrollmentService, CourseService, EnrollmentExpansions],
  row: Enrollment,
  parent: { name: 'courses', one: 'course' },
  operations: {
    list: {
      id: 'listCourseEnrollments',
      summary: 'List the enrollments in a course',
      description: 'Returns enrollments of every state, with the progress of each student. Needs `students:read`.',
      run: ([enrollments, courses], { principal, parent_id, query }) =>
        listBelow(enrollments.list(principal, query, { course_id: parent_id }), () =>
          courses.get(principal, parent_id),
        ),
    },
    expand: {
      student: ([, , expansions], { principal, rows }) => expansions.studentsOf(principal, rows),
      course: ([, , expansions], { principal, rows }) => expansions.coursesOf(principal, rows),
    },
  },
});
