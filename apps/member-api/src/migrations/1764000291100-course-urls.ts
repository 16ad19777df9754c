import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The URL template of the courses of a site. Null until its next event, or `rebuild schools`. */
export class CourseUrls1764000291100 implements MigrationInterface {
  readonly name = 'CourseUrls1764000291100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table sites add column course_url text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table sites drop column course_url');
  }
}
