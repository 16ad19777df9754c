import type { SiteStore, SiteStores } from '@lyceum/collections';
import { reviewEvents } from '@lyceum/contracts';
import { iso } from '@lyceum/rest';
import { ofOwnCourses } from '#src/access/teacher.fence.js';
import { CourseReview } from './course-review.entity.js';
import { courseReview as resource } from './course-review.schema.js';

export type CourseReviewStore = SiteStore<CourseReview, typeof reviewEvents>;

export function courseReviewStore(stores: SiteStores): CourseReviewStore {
  return stores.of({
    entity: CourseReview,
    resource,
    fence: ofOwnCourses('course_id'),
    events: reviewEvents,
    data: ({ id, site_id, course_id, student_id, rating, title, body, reviewed_at }) => ({
      review_id: id,
      site_id,
      course_id,
      student_id,
      rating,
      title,
      body,
      reviewed_at: iso(reviewed_at),
    }),
  });
}
