import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages of a school to its members (ADR 95). */
export class Announcements1764000250001 implements MigrationInterface {
  name = 'Announcements1764000250001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table announcements (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        title text not null,
        body text,
        purpose text not null default 'announcement' check (purpose in ('announcement', 'marketing')),
        -- null: all members of the site
        course_id uuid,
        path text,
        state text not null default 'draft' check (state in ('draft', 'scheduled', 'sent')),
        sends_at timestamptz(3),
        sent_at timestamptz(3),
        external_id text,
        metadata jsonb not null default '{}',
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        foreign key (site_id, course_id) references courses (site_id, id),
        check (state <> 'scheduled' or sends_at is not null),
        check ((state = 'sent') = (sent_at is not null)),
        -- GET /announcements?external_id=…, and the upsert
        constraint announcements_external_id unique (site_id, external_id)
      );
      -- sort=created_at and created_at[…]
      create index announcements_created on announcements (site_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index announcements_updated on announcements (site_id, updated_at, id);
      -- state=…
      create index announcements_state on announcements (site_id, state, created_at, id);
      -- purpose=…
      create index announcements_purpose on announcements (site_id, purpose, created_at, id);
      -- course_id=…, and the announcements that keep a course
      create index announcements_course on announcements (site_id, course_id, created_at, id);
      -- the clock: announcements of all sites that are due
      create index announcements_due on announcements (sends_at) where state = 'scheduled';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table announcements');
  }
}
