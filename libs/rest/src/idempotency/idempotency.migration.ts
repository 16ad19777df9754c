import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Migration: stored responses by idempotency key, and counts of requests by client. */
export class Writes1763683200001 implements MigrationInterface {
  name = 'Writes1763683200001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table idempotency_keys (
        -- SHA-256 of site, client, person, method, path and key
        id bytea primary key,
        site_id uuid not null,
        -- SHA-256 of the request's body and parameters
        request_hash bytea not null,
        -- json, not jsonb: a replay has the members in the order of the first answer
        answer json not null,
        created_at timestamptz(3) not null default now()
      );
      -- the purge of what is older than 24 hours
      create index idempotency_keys_by_age on idempotency_keys (created_at);

      -- Unlogged: a crash of the server forgets at most one minute of counting, and leasing costs no WAL.
      create unlogged table rate_limits (
        site_id uuid not null,
        client_id text not null,
        kind text not null check (kind in ('read', 'write')),
        -- minutes since the epoch
        minute int not null,
        used int not null,
        primary key (site_id, client_id, kind)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table rate_limits, idempotency_keys');
  }
}
