import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Null until the event of the enrollment names it: then the start of the current access counts. */
export class FirstStarts1764000281000 implements MigrationInterface {
  name = 'FirstStarts1764000281000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table enrollments add column first_started_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table enrollments drop column first_started_at');
  }
}
