import { collection } from '@lyceum/collections';
import { Course } from '#src/courses/course.entity.js';
import { shownCourse } from '#src/courses/course.operations.js';
import { courseCopy } from './course-copy.schema.js';
import { CourseCopyService } from './course-copy.service.js';

/** A copy includes parts of other features, so the operation is not in the folder of courses. */
export const courseCopyCollection = collection({
  ...shownCourse,
  scope: 'courses',
  service: CourseCopyService,
  row: Course,
  operations: {
    actions: {
      duplicate: {
        id: 'duplicateCourse',
        summary: 'Duplicate a course',
        description:
          'Creates a draft with the words, settings, `metadata`, tags, categories and lecturers of a course of any state, ' +
          'with its sections and lectures, and with its plans. Lectures keep their state, so those that are published show ' +
          'when the copy is published. Plans of the copy are inactive: none is for sale until it is activated. The copy has ' +
          'no enrollments and no `external_id`, and neither have its parts. Needs the role owner or admin.',
        body: courseCopy,
        creates: true,
        problems: ['already_exists', 'forbidden'],
        tool: {
          description:
            'Creates a draft copy of a course with its sections, lectures, plans, lecturers and categories, for owners and ' +
            'admins; plans of the copy are inactive. Use it to run a course again or to begin with a similar one.',
        },
        run: (copies, { principal, body, tx, ...key }) => copies.duplicate(principal, key, body, tx),
      },
    },
  },
});
