import type { MigrationInterface, QueryRunner } from 'typeorm';

/** ADR 211. */
export class NewLectures1795987200032 implements MigrationInterface {
  name = 'NewLectures1795987200032';
  /** Each statement locks one table (ADR 204). Another run makes the column that is missing. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- First publication. Null also for a row of 0.1.0, until the next event of the course.
      alter table courses add column if not exists published_at timestamptz(3)`);
    await runner.query(`
      -- When the lecture was published; null for others, and from 0.1.0
      alter table fan_outs add column if not exists published_at timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table fan_outs drop column if exists published_at;
      alter table courses drop column if exists published_at`);
  }
}
