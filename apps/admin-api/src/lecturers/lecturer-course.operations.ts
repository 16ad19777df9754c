import { collection } from '@lyceum/collections';
import { Course } from '#src/courses/course.entity.js';
import { shownCourse } from '#src/courses/course.operations.js';
import { CourseService } from '#src/courses/course.service.js';
import { LecturerService } from './lecturer.service.js';

const { resource, view } = shownCourse;

export const lecturerCourseCollection = collection({
  name: 'courses',
  scope: 'courses',
  service: [LecturerService, CourseService],
  row: Course,
  parent: { name: 'lecturers', one: 'lecturer' },
  resource,
  view,
  operations: {
    list: {
      id: 'listLecturerCourses',
      summary: 'List the courses of a lecturer',
      description:
        'Returns the courses of every state that the lecturer teaches, without their descriptions. A lecturer sees the own ' +
        'ones only.',
      problems: ['not_found'],
      run: async ([lecturers, courses], { principal, parent_id, query }) => {
        await lecturers.get(principal, parent_id);
        return courses.list(principal, { ...query, lecturer_id: parent_id });
      },
    },
    expand: {
      lecturers: ([, courses], { principal, rows }) => courses.lecturersOf(principal, rows),
      categories: ([, courses], { principal, rows }) => courses.categoriesOf(principal, rows),
    },
  },
});
