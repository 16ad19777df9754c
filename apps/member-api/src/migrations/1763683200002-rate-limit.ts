import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RateLimit1763683200002 implements MigrationInterface {
  readonly name = 'RateLimit1763683200002';

  async up(runner: QueryRunner): Promise<void> {
    // Unlogged: nothing is lost with a minute's points, and their upserts then wait for no disk.
    await runner.query(`
      create unlogged table rate_window (
        token_fingerprint text primary key,
        started_at timestamptz not null,
        spent integer not null
      ) with (fillfactor = 70)`);
    // The sweep of windows that are long over.
    await runner.query('create index rate_window_started_at on rate_window (started_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table rate_window');
  }
}
