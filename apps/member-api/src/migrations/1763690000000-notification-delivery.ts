import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How a notification finds its way: what a member wants to be told and where, e-mails, messages to many, reminders. */
export class NotificationDelivery1763690000000 implements MigrationInterface {
  readonly name = 'NotificationDelivery1763690000000';

  async up(runner: QueryRunner): Promise<void> {
    // Kinds are added with every topic, and the code that writes them is the list.
    await runner.query('alter table notification drop constraint notification_kind_check');
    // What is left to mark as read, oldest first.
    await runner.query(
      'create index notification_unread on notification (site_id, person_id, created_at) where read_at is null',
    );
    // The oldest, which the retention removes.
    await runner.query('create index notification_created_at on notification (created_at)');
    await runner.query(`
      create table notification_subscription (
        site_id uuid not null,
        person_id uuid not null,
        topic text not null,
        -- The course that it is limited to; null for all of the topic. What is set for a course counts before that.
        entity_id uuid,
        -- Of the events about it.
        version integer not null,
        active boolean not null,
        in_app boolean not null,
        email boolean not null,
        push boolean not null,
        updated_at timestamptz not null,
        -- A row only where a member chose something: all others are as the topic has it by default.
        unique nulls not distinct (site_id, person_id, topic, entity_id)
      )`);
    await this.#mails(runner);
    await this.#fanOuts(runner);
    await runner.query(`
      create table reminder (
        -- The event, or the booked session.
        subject_id uuid not null,
        minutes_before integer not null,
        site_id uuid not null,
        kind text not null,
        -- Version of the subject: an older event never moves it back.
        version integer not null,
        starts_at timestamptz not null,
        due_at timestamptz not null,
        -- Null while there is nothing to remind of: cancelled, a draft, over.
        title text,
        path text,
        -- Who is reminded; null for all who are registered.
        person_id uuid,
        -- What that person's notification is about.
        person_subject_id uuid,
        sent_at timestamptz,
        primary key (subject_id, minutes_before)
      )`);
    // The reminders that are due.
    await runner.query('create index reminder_due on reminder (due_at) where sent_at is null and title is not null');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table reminder, fan_out, outbound_mail, notification_subscription');
    await runner.query(
      'drop index membership_audience, enrollment_audience, notification_created_at, notification_unread',
    );
    await runner.query(
      `alter table notification add constraint notification_kind_check check (kind in ('course_enrolled')) not valid`,
    );
  }

  async #mails(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table outbound_mail (
        -- Also the left side of its Message-ID, so that a mail that had to be sent again is known as the same.
        mail_id uuid primary key default uuidv7(),
        site_id uuid not null,
        person_id uuid not null,
        -- As that of the notification: one mail however often the event comes.
        occasion text not null,
        topic text not null,
        -- The course that the topic is about here.
        entity_id uuid,
        title text not null,
        body text,
        -- Path below the site's base URL.
        path text,
        created_at timestamptz not null,
        attempts integer not null default 0,
        -- Taken by a replica until then, or to be tried again then.
        due_at timestamptz not null,
        -- Sent, or given up; null while it waits.
        ended_at timestamptz,
        unique (site_id, person_id, occasion)
      ) with (fillfactor = 80)`);
    // The next mails of each site.
    await runner.query('create index outbound_mail_due on outbound_mail (site_id, due_at) where ended_at is null');
    // Mails that are over, which the retention removes.
    await runner.query('create index outbound_mail_ended_at on outbound_mail (ended_at) where ended_at is not null');
  }

  async #fanOuts(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table fan_out (
        site_id uuid not null,
        occasion text not null,
        kind text not null,
        audience text not null check (audience in ('course', 'site', 'event')),
        -- The course or the event; null for the site.
        audience_id uuid,
        title text not null,
        body text,
        -- Path below the site's base URL; in the audience of a course null leads to the course.
        path text,
        -- Null for what a member has of the audience: the enrolment, the registration.
        subject_id uuid,
        created_at timestamptz not null,
        -- The last person of the batch before.
        after_person uuid not null default '00000000-0000-0000-0000-000000000000',
        -- When a batch of it was done last: sites take turns.
        turn_at timestamptz not null,
        -- Kept for a while when it is done, so that an event that comes again is known.
        done_at timestamptz,
        primary key (site_id, occasion)
      ) with (fillfactor = 80)`);
    // Whose turn it is.
    await runner.query('create index fan_out_turn on fan_out (turn_at) where done_at is null');
    // The members of a course, and those of a site, in batches.
    await runner.query(
      `create index enrollment_audience on enrollment (site_id, course_id, person_id) where state = 'active'`,
    );
    await runner.query(`create index membership_audience on membership (site_id, person_id) where roles <> '{}'`);
  }
}
