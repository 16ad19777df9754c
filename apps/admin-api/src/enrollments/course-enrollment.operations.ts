import { collection } from '@lyceum/collections';
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
      run: async ([enrollments, courses], { principal, parent_id, query }) => {
        const page = await enrollments.list(principal, query, { course_id: parent_id });
        // A page with rows proves that the course exists.
        if (page.rows.length === 0) await courses.get(principal, parent_id);
        return page;
      },
    },
    expand: {
      student: ([, , expansions], { principal, rows }) => expansions.studentsOf(principal, rows),
      course: ([, , expansions], { principal, rows }) => expansions.coursesOf(principal, rows),
    },
  },
});
