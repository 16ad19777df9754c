import type { MigrationInterface, QueryRunner } from 'typeorm';

/** All limits count in `rate_windows`. */
export class DropRateLimits1763990000000 implements MigrationInterface {
  readonly name = 'DropRateLimits1763990000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop table rate_limits');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table rate_limits (
        limit_key bytea not null,
        window_start timestamptz not null,
        hits int not null,
        primary key (limit_key, window_start)
      )`);
    await runner.query('create index rate_limits_by_age on rate_limits (window_start)');
  }
}
