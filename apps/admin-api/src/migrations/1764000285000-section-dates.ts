import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The instant before which a section opens for no student. */
export class SectionDates1764000285000 implements MigrationInterface {
  name = 'SectionDates1764000285000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table sections add column opens_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table sections drop column opens_at');
  }
}
