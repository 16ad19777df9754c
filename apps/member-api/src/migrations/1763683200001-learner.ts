import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What this context owns: where somebody stopped watching, and what they have been told. */
export class Learner1763683200001 implements MigrationInterface {
  readonly name = 'Learner1763683200001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE playback (
        site_id uuid NOT NULL,
        person_id uuid NOT NULL,
        course_id uuid NOT NULL,
        lecture_id uuid NOT NULL,
        title text,
        position_seconds integer NOT NULL CHECK (position_seconds >= 0),
        watched_at timestamptz NOT NULL,
        PRIMARY KEY (site_id, person_id, course_id)
      )`);
    await runner.query(`
      CREATE TABLE notification (
        notification_id uuid PRIMARY KEY DEFAULT uuidv7(),
        site_id uuid NOT NULL,
        person_id uuid NOT NULL,
        -- What it is about, once: however often the event comes, there is one notification.
        occasion text NOT NULL,
        kind text NOT NULL CHECK (kind IN ('course_enrolled')),
        title text NOT NULL,
        body text,
        -- Path below the site's base URL.
        path text,
        subject_id uuid,
        created_at timestamptz NOT NULL,
        read_at timestamptz,
        UNIQUE (site_id, person_id, occasion)
      )`);
    // A page of viewer.notifications, in its order.
    await runner.query(
      'CREATE INDEX notification_page ON notification (site_id, person_id, created_at DESC, notification_id DESC)',
    );
    // Unread notifications are counted where they are made and read, so that an inbox of 100,000 costs one row to count.
    await runner.query(`
      CREATE TABLE inbox_count (
        site_id uuid NOT NULL,
        person_id uuid NOT NULL,
        unread integer NOT NULL CHECK (unread >= 0),
        PRIMARY KEY (site_id, person_id)
      ) WITH (fillfactor = 80)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE inbox_count, notification, playback');
  }
}
