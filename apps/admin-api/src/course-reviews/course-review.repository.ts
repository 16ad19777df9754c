import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CourseReview } from './course-review.entity.js';

@Injectable()
export class CourseReviewRepository {
  /** Erases the words of a student. Returns their reviews. */
  eraseAll(tx: EntityManager, { site_id, id }: { readonly site_id: string; readonly id: string }) {
    return tx.query<CourseReview[]>(
      `with erased as (
         update course_reviews set title = null, body = '', version = version + 1, updated_at = now()
         where site_id = $1 and student_id = $2 returning *
       )
       select * from erased order by id`,
      [site_id, id],
    );
  }

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
