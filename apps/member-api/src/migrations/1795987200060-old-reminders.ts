import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OldReminders1795987200060 implements MigrationInterface {
  name = 'OldReminders1795987200060';

  async up(runner: QueryRunner): Promise<void> {
    // The oldest, which the retention removes. No claim can read it in place of the index of its site.
    await runner.query(`create index reminder_age on reminders ((coalesce(ended_at, due_at)))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index reminder_age`);
  }
}
