import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = { notifications: 'notification_replies', outbound_mails: 'outbound_mail_replies' };

/** The notifications of a reply, whose author's name an erasure replaces. */
export class ReplyNotifications1764000294001 implements MigrationInterface {
  readonly name = 'ReplyNotifications1764000294001';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, index] of Object.entries(TABLES)) {
      // All recipients of a reply, also one who was removed before its author.
      await runner.query(`create index ${index} on ${table} (site_id, occasion) where kind = 'comment_replied'`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of Object.values(TABLES)) await runner.query(`drop index ${index}`);
  }
}
