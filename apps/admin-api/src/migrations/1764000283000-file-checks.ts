import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The lease of the one request or sweep that checks a file outside of a transaction. */
export class FileChecks1764000283000 implements MigrationInterface {
  name = 'FileChecks1764000283000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table files add column checked_until timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table files drop column checked_until');
  }
}
