import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What this context owns: where somebody stopped watching, and what they have been told. */
export class Learner1763683200001 implements MigrationInterface {
  readonly name = 'Learner1763683200001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table playback (
        site_id uuid not null,
        person_id uuid not null,
        course_id uuid not null,
        lecture_id uuid not null,
        title text,
        position_seconds integer not null check (position_seconds >= 0),
        watched_at timestamptz not null,
        primary key (site_id, person_id, course_id)
      )`);
    await runner.query(`
      create table notification (
        notification_id uuid primary key default uuidv7(),
        site_id uuid not null,
        person_id uuid not null,
        -- What it is about, once: however often the event comes, there is one notification.
        occasion text not null,
        kind text not null check (kind in ('course_enrolled')),
        title text not null,
        body text,
        -- Path below the site's base URL.
        path text,
        subject_id uuid,
        created_at timestamptz not null,
        read_at timestamptz,
        unique (site_id, person_id, occasion)
      )`);
    // A page of viewer.notifications, in its order.
    await runner.query(
      'create index notification_page on notification (site_id, person_id, created_at desc, notification_id desc)',
    );
    // Unread notifications are counted where they are made and read, so that an inbox of 100,000 costs one row to count.
    await runner.query(`
      create table inbox_count (
        site_id uuid not null,
        person_id uuid not null,
        unread integer not null check (unread >= 0),
        primary key (site_id, person_id)
      ) with (fillfactor = 80)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table inbox_count, notification, playback');
  }
}
