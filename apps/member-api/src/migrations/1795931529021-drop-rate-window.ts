import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Limits count in `rate_windows` since before v0.1.0. No version since then reads this table. */
export class DropRateWindow1795931529021 implements MigrationInterface {
  name = 'DropRateWindow1795931529021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table rate_window`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create unlogged table rate_window (
        token_fingerprint text primary key,
        started_at timestamptz(3) not null,
        spent int not null
      ) with (fillfactor = 70);
      create index rate_window_started_at on rate_window (started_at)`);
  }
}
