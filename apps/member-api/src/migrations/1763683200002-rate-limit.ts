import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RateLimit1763683200002 implements MigrationInterface {
  readonly name = 'RateLimit1763683200002';

  async up(runner: QueryRunner): Promise<void> {
    // Unlogged: nothing is lost with a minute's points, and their upserts then wait for no disk.
    await runner.query(`
      CREATE UNLOGGED TABLE rate_window (
        token_fingerprint text PRIMARY KEY,
        started_at timestamptz NOT NULL,
        spent integer NOT NULL
      ) WITH (fillfactor = 70)`);
    // The sweep of windows that are long over.
    await runner.query('CREATE INDEX rate_window_started_at ON rate_window (started_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rate_window');
  }
}
