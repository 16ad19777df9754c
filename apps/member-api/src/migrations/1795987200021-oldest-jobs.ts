import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OldestJobs1795987200021 implements MigrationInterface {
  name = 'OldestJobs1795987200021';
  /** Each statement locks one table (ADR 204). Another run makes the index that is missing. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // The oldest, which the retention removes.
    await runner.query(`create index if not exists fan_out_created_at on fan_outs (created_at)`);
    await runner.query(`create index if not exists reminder_due_at on reminders (due_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index if exists reminder_due_at, fan_out_created_at`);
  }
}
