import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The URL template of the courses of a school. Null until its next event, or `republish` of admin-api. */
export class CourseUrls1764000291000 implements MigrationInterface {
  readonly name = 'CourseUrls1764000291000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table site_schools add column course_url text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table site_schools drop column course_url');
  }
}
