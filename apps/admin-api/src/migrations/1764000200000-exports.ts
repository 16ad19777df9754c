import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Exports of a site and their jobs (ADR 81). */
export class Exports1764000200000 implements MigrationInterface {
  name = 'Exports1764000200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table exports (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        -- The member who asked for it
        created_by uuid not null,
        collection text not null check (collection in ('students', 'enrollments', 'progress')),
        format text not null check (format in ('csv', 'jsonl')),
        filters jsonb not null,
        state text not null default 'queued' check (state in ('queued', 'running', 'ready', 'failed', 'canceled')),
        error text check ((error is not null) = (state = 'failed')),
        rows_count int not null default 0,
        bytes int not null default 0,
        -- The file has rows beyond the fence of teachers
        whole boolean not null default false,
        -- The export and its file are deleted then
        expires_at timestamptz(3) not null,
        file_key text check ((file_key is not null) = (state = 'ready')),
        -- Where the last part ended
        cursor text,
        all_read boolean not null default false,
        -- Keys of the parts in the store, in the order of the file
        parts text[] not null default '{}',
        due_at timestamptz not null default now(),
        attempts int not null default 0,
        ended_at timestamptz(3),
        failure text,
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id)
      );
      -- GET /exports, sort=created_at and created_at[…]
      create index exports_created on exports (site_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index exports_updated on exports (site_id, updated_at, id);
      -- the claim of due jobs
      create index exports_due on exports (site_id, due_at) where ended_at is null;
      -- dead-jobs
      create index exports_dead on exports (ended_at) where failure is not null;
      -- the sweep of old exports
      create index exports_expired on exports (site_id, expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table exports');
  }
}
