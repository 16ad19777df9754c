import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { z } from 'zod';
import { CourseReview } from './course-review.entity.js';
import { courseReview } from './course-review.schema.js';
import { CourseReviewService } from './course-review.service.js';

/** Characters of each review in the result of a tool. Fifty reviews then fit into its 60 KB. */
const EXCERPT_LENGTH = 200;

export const courseReviewCollection = collection({
  name: 'reviews',
  scope: 'courses',
  service: CourseReviewService,
  row: CourseReview,
  parent: { name: 'courses', one: 'course' },
  resource: courseReview,
  etag: ({ version }) => rowTag(version),
  personal: true,
  toolItem: ['id', 'student_id', 'rating', 'title', 'body', 'body_truncated', 'reviewed_at', 'updated_at'],
  toolMembers: {
    body: {
      schema: z.string().describe(`The first ${EXCERPT_LENGTH} characters`),
      of: ({ body }) => body.slice(0, EXCERPT_LENGTH).toWellFormed(),
    },
    body_truncated: {
      schema: z.boolean().describe('body is truncated'),
      of: ({ body }) => body.length > EXCERPT_LENGTH,
    },
  },
  operations: {
    list: {
      id: 'listCourseReviews',
      summary: 'List the reviews of a course',
      description:
        'Returns what students wrote in the storefront, the newest first. A student has one review in a course and may ' +
        'replace it. The course has the average of the ratings. With `students:read`, `student_id` leads to the student.',
      tool: {
        description:
          'Lists the reviews of a course with their ratings, newest first: all of them, or those with one rating. Use it ' +
          'to see what students like or miss; get_course has the average.',
      },
      run: (reviews, { principal, parent_id, query }) => reviews.list(principal, query, { course_id: parent_id }),
    },
  },
});
