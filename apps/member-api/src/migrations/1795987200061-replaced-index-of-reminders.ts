import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Drops the index that `reminder_age` replaces: claims read the reminders of all sites and of 31 days by it. */
export class ReplacedIndexOfReminders1795987200061 implements MigrationInterface {
  name = 'ReplacedIndexOfReminders1795987200061';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index reminder_due_at`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`create index reminder_due_at on reminders (due_at)`);
  }
}
