import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Imports of a site and their jobs (ADR 82). */
export class Imports1764000220000 implements MigrationInterface {
  name = 'Imports1764000220000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table imports (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        -- The member who asked for it
        created_by uuid not null,
        -- Client and surface of the request
        client_id text,
        via text not null,
        collection text not null check (collection in ('students')),
        format text not null check (format in ('csv', 'jsonl')),
        upload_id uuid not null,
        mode text not null check (mode in ('create_only', 'upsert_by_email', 'upsert_by_external_id')),
        course_id uuid,
        plan_id uuid check (plan_id is null or course_id is not null),
        send_welcome_email boolean not null,
        state text not null default 'queued'
          check (state in ('queued', 'checking', 'previewed', 'invalid', 'running', 'completed', 'failed', 'canceled')),
        error text check ((error is not null) = (state = 'failed')),
        rows_total int not null default 0,
        -- Expected rows by outcome
        preview jsonb,
        rows_created int not null default 0,
        rows_updated int not null default 0,
        rows_skipped int not null default 0,
        rows_failed int not null default 0,
        faults_count int not null default 0,
        -- The first ones
        faults jsonb not null default '[]',
        -- The import and its files are deleted then
        expires_at timestamptz(3) not null,
        report_key text,
        -- Keys of the parts with the valid rows in the store, in the order of the file, and how many of them are written
        parts text[] not null default '{}',
        parts_done int not null default 0,
        due_at timestamptz(3) not null default now(),
        attempts int not null default 0,
        ended_at timestamptz(3),
        failure text,
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id)
      );
      -- GET /imports, sort=created_at and created_at[…]
      create index imports_created on imports (site_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index imports_updated on imports (site_id, updated_at, id);
      -- the claim of due jobs
      create index imports_due on imports (site_id, due_at) where ended_at is null;
      -- dead-jobs
      create index imports_dead on imports (ended_at) where failure is not null;
      -- the sweep of old imports
      create index imports_expired on imports (site_id, expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table imports');
  }
}
