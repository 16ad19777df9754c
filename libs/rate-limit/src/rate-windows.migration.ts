import type { MigrationInterface, QueryRunner } from 'typeorm';

class RateWindows1763920000000 implements MigrationInterface {
  readonly name = 'RateWindows1763920000000';

  async up(runner: QueryRunner): Promise<void> {
    // Unlogged: a crash loses a minute's counts and no more, and the upserts wait for no disk.
    await runner.query(`
      CREATE UNLOGGED TABLE rate_windows (
        limit_key bytea PRIMARY KEY,
        started_at timestamptz NOT NULL,
        spent integer NOT NULL
      ) WITH (fillfactor = 70)`);
    // The sweep of windows that ended long ago.
    await runner.query('CREATE INDEX rate_windows_started_at ON rate_windows (started_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rate_windows');
  }
}

/** Each app that limits puts these among its migrations. */
export const rateLimitMigrations = [RateWindows1763920000000];
