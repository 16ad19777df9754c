import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Drops the index that `enrollments_by_quarter` replaces, in a transaction of its own as other replaced indexes. */
export class ReplacedIndexOfEnrollments1795987200042 implements MigrationInterface {
  readonly name = 'ReplacedIndexOfEnrollments1795987200042';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index enrollments_analytics');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- analytics: enrollments of a quarter of an hour
      create index enrollments_analytics on enrollments (site_id, created_at) include (course_id, id, completed_at)`);
  }
}
