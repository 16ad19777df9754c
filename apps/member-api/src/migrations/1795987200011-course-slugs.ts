import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CourseSlugs1795987200011 implements MigrationInterface {
  name = 'CourseSlugs1795987200011';

  async up(runner: QueryRunner): Promise<void> {
    // The course of the path of a notification or a mail.
    await runner.query(`create index course_slug on courses (site_id, slug)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index course_slug`);
  }
}
