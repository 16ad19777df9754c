import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reviews of courses by their students (ADR 70). */
export class CourseReviews1764000140000 implements MigrationInterface {
  name = 'CourseReviews1764000140000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table course_reviews (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        course_id uuid not null,
        student_id uuid not null,
        enrollment_id uuid not null,
        rating smallint not null check (rating between 1 and 5),
        title text,
        body text not null,
        reviewed_at timestamptz(3) not null,
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        -- school.review.post: one review for each student
        constraint course_reviews_student unique (site_id, course_id, student_id),
        foreign key (site_id, enrollment_id) references enrollments (site_id, id)
      );
      -- GET /courses/{course_id}/reviews, and created_at[…]
      create index course_reviews_created on course_reviews (site_id, course_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index course_reviews_updated on course_reviews (site_id, course_id, updated_at, id);
      -- rating=…
      create index course_reviews_rating on course_reviews (site_id, course_id, rating, created_at, id);

      alter table courses
        add column reviews_count int not null default 0,
        add column rating_total int not null default 0,
        -- null: no reviews
        add column rating_average double precision check (rating_average between 1 and 5);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table courses drop column rating_average, drop column rating_total, drop column reviews_count;
      drop table course_reviews;
    `);
  }
}
