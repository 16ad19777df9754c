import type { MigrationInterface, QueryRunner } from 'typeorm';

class RateWindows1763920000000 implements MigrationInterface {
  readonly name = 'RateWindows1763920000000';

  async up(runner: QueryRunner): Promise<void> {
    // Unlogged: a crash only loses the counts of a minute, and upserts need no disk write.
    await runner.query(`
      CREATE UNLOGGED TABLE rate_windows (
        limit_key bytea PRIMARY KEY,
        started_at timestamptz(3) NOT NULL,
        spent integer NOT NULL
      ) WITH (fillfactor = 70)`);
    // For the sweep of old windows.
    await runner.query('CREATE INDEX rate_windows_started_at ON rate_windows (started_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rate_windows');
  }
}

/** Migrations of the windows. Each service with `RateLimitModule` adds them to its own. */
export const rateLimitMigrations = [RateWindows1763920000000];
