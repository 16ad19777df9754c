import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The erasure of a member read all mails and requests of a day. */
export class RowsOfAddresses1795987200031 implements MigrationInterface {
  readonly name = 'RowsOfAddresses1795987200031';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Serve the erasure of a member. email_links needs none: it has the rows of an hour.
      create index mails_to_address on mails (address) where address is not null;
      create index email_link_requests_of_address on email_link_requests (address);
      create index password_reset_requests_of_address on password_reset_requests (address);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'drop index mails_to_address, email_link_requests_of_address, password_reset_requests_of_address',
    );
  }
}
