import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many people an announcement reached, as member-api counted them. */
export class AnnouncementRecipients1764000366351 implements MigrationInterface {
  name = 'AnnouncementRecipients1764000366351';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table announcements add column recipients_count int
         check (recipients_count is null or (recipients_count >= 0 and state = 'sent'))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table announcements drop column recipients_count');
  }
}
