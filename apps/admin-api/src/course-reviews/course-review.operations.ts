import { collection } from '@lyceum/collections';
import { beginningOf } from '@lyceum/platform';
import { rowTag } from '@lyceum/rest';
import { z } from 'zod';
import { CourseReview } from './course-review.entity.js';
import { courseReview } from './course-review.schema.js';
import { CourseReviewService } from './course-review.service.js';

/** Characters of each review in the result of a tool. Fifty reviews then fit into its 60 KB. */
const EXCERPT_LENGTH = 200;

const excerpt = {
  body: {
    schema: z.string().describe(`The first ${EXCERPT_LENGTH} characters`),
    of: ({ body }: CourseReview) => beginningOf(body, EXCERPT_LENGTH),
  },
  body_truncated: {
    schema: z.boolean().describe('body is truncated'),
    of: ({ body }: CourseReview) => body.length > EXCERPT_LENGTH,
  },
};

const ITEM = ['id', 'student_id', 'rating', 'title', 'body', 'body_truncated', 'reviewed_at', 'updated_at'] as const;

const shownReview = {
  resource: courseReview,
  etag: ({ version }: CourseReview) => rowTag(version),
  personal: true,
};

export const courseReviewCollection = collection({
  ...shownReview,
  name: 'reviews',
  scope: 'courses',
  service: CourseReviewService,
  row: CourseReview,
  parent: { name: 'courses', one: 'course' },
  toolItem: ITEM,
  toolMembers: excerpt,
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

/** The reviews of all courses, by their ids alone. */
export const reviewOfCourseCollection = collection({
  ...shownReview,
  name: 'course_reviews',
  scope: 'courses',
  service: CourseReviewService,
  row: CourseReview,
  toolItem: ['course_id', ...ITEM],
  toolMembers: excerpt,
  operations: {
    list: {
      id: 'listReviewsOfCourses',
      summary: 'List the reviews of all courses',
      description:
        'Returns what students wrote in the storefront, the newest first. `course_id` keeps the reviews of one course, ' +
        'and `student_id` those of one student.',
      tool: {
        description:
          'Lists the reviews of all courses, newest first, or those of one student. Use it to see what students wrote ' +
          'lately; list_course_reviews is for one course.',
      },
      run: (reviews, { principal, query }) => reviews.list(principal, query),
    },
    get: {
      id: 'getReviewOfCourse',
      summary: 'Get a review by its id',
      description: 'Returns the whole text. A student has one review in a course and may replace it.',
      run: (reviews, { principal, id }) => reviews.get(principal, id),
    },
  },
});
