import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Teachers of deleted courses, who read the deletion in the feed of changes (ADR 104). */
export class TeachersOfDeletedCourses1764000257001 implements MigrationInterface {
  name = 'TeachersOfDeletedCourses1764000257001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table teachers_of_deleted_courses (
        site_id uuid not null,
        member_id uuid not null,
        course_id uuid not null,
        deleted_at timestamptz(3) not null default now(),
        -- GET /changes of a teacher
        primary key (site_id, member_id, course_id)
      );
      -- rows of all sites whose changes cannot be read any more
      create index teachers_of_deleted_courses_age on teachers_of_deleted_courses (deleted_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table teachers_of_deleted_courses');
  }
}
