import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails of one subscription that wait at the same time are sent as one. */
export class MailDigests1764000320000 implements MigrationInterface {
  readonly name = 'MailDigests1764000320000';

  async up(runner: QueryRunner): Promise<void> {
    // The mail in which a row is sent, set before it is sent: a retry sends the same rows again.
    await runner.query('alter table outbound_mails add column digest_id uuid');
    // The mails of a subscription in the last hour, those before a waiting one, and those of a digest.
    await runner.query(
      'create index outbound_mails_subscription on outbound_mails (site_id, person_id, topic, created_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index outbound_mails_subscription');
    await runner.query('alter table outbound_mails drop column digest_id');
  }
}
