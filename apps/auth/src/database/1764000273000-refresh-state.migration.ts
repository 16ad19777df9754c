import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A refresh updates one row, the grant (ADR 121). `consumed_at` and `repeats` of refresh tokens have the uses that
 * earlier releases recorded.
 */
export class RefreshState1764000273000 implements MigrationInterface {
  readonly name = 'RefreshState1764000273000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table grants
        -- The refresh token of used_rotation that was used, and how often it was repeated afterwards.
        add column used_token bytea,
        add column used_at timestamptz(3),
        add column used_repeats smallint not null default 0`);
    // Free space in each page: an update that finds some adds no entry to an index.
    await runner.query('alter table grants set (fillfactor = 80)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table grants reset (fillfactor)');
    await runner.query('alter table grants drop column used_token, drop column used_at, drop column used_repeats');
  }
}
