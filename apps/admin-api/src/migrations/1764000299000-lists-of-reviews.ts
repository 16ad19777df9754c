import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of the reviews of all courses of a site. */
export class ListsOfReviews1764000299000 implements MigrationInterface {
  name = 'ListsOfReviews1764000299000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- GET /course_reviews with sort=created_at and created_at[…]
      create index course_reviews_by_created_at on course_reviews (site_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index course_reviews_by_updated_at on course_reviews (site_id, updated_at, id);
      -- rating=…
      create index course_reviews_by_rating on course_reviews (site_id, rating, created_at, id);
      -- student_id=…, and the reviews of a removed student
      create index course_reviews_by_student on course_reviews (site_id, student_id, created_at, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index course_reviews_by_student, course_reviews_by_rating, course_reviews_by_updated_at,
        course_reviews_by_created_at
    `);
  }
}
