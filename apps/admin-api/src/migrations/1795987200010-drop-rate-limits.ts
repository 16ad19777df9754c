import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Limits count in `rate_windows` since before v0.1.0. No version since then uses this table. */
export class DropRateLimits1795987200010 implements MigrationInterface {
  readonly name = 'DropRateLimits1795987200010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop table if exists rate_limits');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create unlogged table rate_limits (
        site_id uuid not null,
        client_id text not null,
        kind text not null check (kind in ('read', 'write')),
        minute int not null,
        used int not null,
        primary key (site_id, client_id, kind)
      )`);
  }
}
