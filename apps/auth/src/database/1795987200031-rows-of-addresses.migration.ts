import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The erasure of a member read all mails and requests of a day. */
export class RowsOfAddresses1795987200031 implements MigrationInterface {
  readonly name = 'RowsOfAddresses1795987200031';
  /** Each statement locks one table (ADR 204). Another run makes the indexes that are missing. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // They serve the erasure of a member. email_links needs none: it has the rows of an hour.
    await runner.query('create index if not exists mails_to_address on mails (address) where address is not null');
    for (const table of ['email_link_requests', 'password_reset_requests'])
      await runner.query(`create index if not exists ${table}_of_address on ${table} (address)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index if exists mails_to_address');
    for (const table of ['email_link_requests', 'password_reset_requests'])
      await runner.query(`drop index if exists ${table}_of_address`);
  }
}
