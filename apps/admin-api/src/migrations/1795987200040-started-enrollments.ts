import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Marks the quarter of an enrollment when it begins. Analytics count `has_begun` in place of rows of `progress`. A
 * trigger of `progress` sets it, also for instances of the release before.
 */
export class StartedEnrollments1795987200040 implements MigrationInterface {
  readonly name = 'StartedEnrollments1795987200040';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create or replace trigger analytics_update after update on enrollments for each row
        when (old.completed_at is distinct from new.completed_at or old.has_begun is distinct from new.has_begun)
        execute function analytics_enrollment();
      -- analytics: enrollments of a quarter of an hour
      create index enrollments_by_quarter on enrollments (site_id, created_at)
        include (course_id, completed_at, has_begun);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create or replace trigger analytics_update after update on enrollments for each row
        when (old.completed_at is distinct from new.completed_at) execute function analytics_enrollment();
      drop index enrollments_by_quarter;
    `);
  }
}
