import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How a notification finds its way: what a member wants to be told and where, e-mails, messages to many, reminders. */
export class NotificationDelivery1763690000000 implements MigrationInterface {
  readonly name = 'NotificationDelivery1763690000000';

  async up(runner: QueryRunner): Promise<void> {
    // Kinds are added with every topic, and the code that writes them is the list.
    await runner.query('ALTER TABLE notification DROP CONSTRAINT notification_kind_check');
    // What is left to mark as read, oldest first.
    await runner.query(
      'CREATE INDEX notification_unread ON notification (site_id, person_id, created_at) WHERE read_at IS NULL',
    );
    // The oldest, which the retention removes.
    await runner.query('CREATE INDEX notification_created_at ON notification (created_at)');
    await runner.query(`
      CREATE TABLE notification_subscription (
        site_id uuid NOT NULL,
        person_id uuid NOT NULL,
        topic text NOT NULL,
        -- The course that it is limited to; null for all of the topic. What is set for a course counts before that.
        entity_id uuid,
        -- Of the events about it.
        version integer NOT NULL,
        active boolean NOT NULL,
        in_app boolean NOT NULL,
        email boolean NOT NULL,
        push boolean NOT NULL,
        updated_at timestamptz NOT NULL,
        -- A row only where a member chose something: all others are as the topic has it by default.
        UNIQUE NULLS NOT DISTINCT (site_id, person_id, topic, entity_id)
      )`);
    await this.#mails(runner);
    await this.#fanOuts(runner);
    await runner.query(`
      CREATE TABLE reminder (
        -- The event, or the booked session.
        subject_id uuid NOT NULL,
        minutes_before integer NOT NULL,
        site_id uuid NOT NULL,
        kind text NOT NULL,
        -- Version of the subject: an older event never moves it back.
        version integer NOT NULL,
        starts_at timestamptz NOT NULL,
        due_at timestamptz NOT NULL,
        -- Null while there is nothing to remind of: cancelled, a draft, over.
        title text,
        path text,
        -- Who is reminded; null for all who are registered.
        person_id uuid,
        -- What that person's notification is about.
        person_subject_id uuid,
        sent_at timestamptz,
        PRIMARY KEY (subject_id, minutes_before)
      )`);
    // The reminders that are due.
    await runner.query('CREATE INDEX reminder_due ON reminder (due_at) WHERE sent_at IS NULL AND title IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE reminder, fan_out, outbound_mail, notification_subscription');
    await runner.query(
      'DROP INDEX membership_audience, enrollment_audience, notification_created_at, notification_unread',
    );
    await runner.query(
      `ALTER TABLE notification ADD CONSTRAINT notification_kind_check CHECK (kind IN ('course_enrolled')) NOT VALID`,
    );
  }

  async #mails(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbound_mail (
        -- Also the left side of its Message-ID, so that a mail that had to be sent again is known as the same.
        mail_id uuid PRIMARY KEY DEFAULT uuidv7(),
        site_id uuid NOT NULL,
        person_id uuid NOT NULL,
        -- As that of the notification: one mail however often the event comes.
        occasion text NOT NULL,
        topic text NOT NULL,
        -- The course that the topic is about here.
        entity_id uuid,
        title text NOT NULL,
        body text,
        -- Path below the site's base URL.
        path text,
        created_at timestamptz NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        -- Taken by a replica until then, or to be tried again then.
        due_at timestamptz NOT NULL,
        -- Sent, or given up; null while it waits.
        ended_at timestamptz,
        UNIQUE (site_id, person_id, occasion)
      ) WITH (fillfactor = 80)`);
    // The next mails of each site.
    await runner.query('CREATE INDEX outbound_mail_due ON outbound_mail (site_id, due_at) WHERE ended_at IS NULL');
    // Mails that are over, which the retention removes.
    await runner.query('CREATE INDEX outbound_mail_ended_at ON outbound_mail (ended_at) WHERE ended_at IS NOT NULL');
  }

  async #fanOuts(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE fan_out (
        site_id uuid NOT NULL,
        occasion text NOT NULL,
        kind text NOT NULL,
        audience text NOT NULL CHECK (audience IN ('course', 'site', 'event')),
        -- The course or the event; null for the site.
        audience_id uuid,
        title text NOT NULL,
        body text,
        -- Path below the site's base URL; in the audience of a course null leads to the course.
        path text,
        -- Null for what a member has of the audience: the enrolment, the registration.
        subject_id uuid,
        created_at timestamptz NOT NULL,
        -- The last person of the batch before.
        after_person uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
        -- When a batch of it was done last: sites take turns.
        turn_at timestamptz NOT NULL,
        -- Kept for a while when it is done, so that an event that comes again is known.
        done_at timestamptz,
        PRIMARY KEY (site_id, occasion)
      ) WITH (fillfactor = 80)`);
    // Whose turn it is.
    await runner.query('CREATE INDEX fan_out_turn ON fan_out (turn_at) WHERE done_at IS NULL');
    // The members of a course, and those of a site, in batches.
    await runner.query(
      `CREATE INDEX enrollment_audience ON enrollment (site_id, course_id, person_id) WHERE state = 'active'`,
    );
    await runner.query(`CREATE INDEX membership_audience ON membership (site_id, person_id) WHERE roles <> '{}'`);
  }
}
