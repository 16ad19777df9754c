import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where students stopped, by lecture, and when the completion rate of an enrollment was true. */
export class Progress1764000080000 implements MigrationInterface {
  name = 'Progress1764000080000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table progress (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        enrollment_id uuid not null,
        student_id uuid not null,
        course_id uuid not null,
        -- No key of another table: lectures are not kept yet.
        lecture_id uuid not null,
        lecture_title text,
        position_seconds int not null check (position_seconds >= 0),
        watched_at timestamptz(3) not null,
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        -- school.progress.record: one row for each lecture
        constraint progress_lecture unique (site_id, enrollment_id, lecture_id),
        foreign key (site_id, enrollment_id) references enrollments (site_id, id)
      );
      -- the last watched lecture of an enrollment
      create index progress_by_enrollment on progress (site_id, enrollment_id, watched_at, id);
      -- GET /students/{id}/progress, and watched_at[…]
      create index progress_by_student on progress (site_id, student_id, watched_at, id);

      -- When completion_rate was true; null: nothing was recorded. Older progress does not change the rate.
      alter table enrollments add column progressed_at timestamptz(3);
      -- the student of a member
      create index students_by_member on students (site_id, member_id) where member_id is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index students_by_member;
      alter table enrollments drop column progressed_at;
      drop table progress;
    `);
  }
}
