import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Only the courses that came to a plan give access again that had ended. Null: v0.1.0 wrote the change. */
export class AddedCourses1795987200070 implements MigrationInterface {
  readonly name = 'AddedCourses1795987200070';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table subscription_follows add column added uuid[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table subscription_follows drop column added');
  }
}
