import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CourseReview } from './course-review.entity.js';

@Injectable()
export class CourseReviewRepository {
  /**
   * Adds to the number and the sum of the ratings of a course, and updates the average. The version of the course
   * stays.
   */
  async rate(
    tx: EntityManager,
    { site_id, course_id }: Pick<CourseReview, 'site_id' | 'course_id'>,
    { count, total }: { readonly count: number; readonly total: number },
  ): Promise<void> {
    await tx.query(
      `update courses
       set reviews_count = reviews_count + $3, rating_total = rating_total + $4,
         rating_average = round((rating_total + $4)::numeric / (reviews_count + $3), 2)
       where site_id = $1 and id = $2`,
      [site_id, course_id, count, total],
    );
  }
}
