export const notifications = `
  create table notifications (
    notification_id uuid default uuidv7(),
    site_id uuid not null,
    person_id uuid not null,
    -- What it is about, once: however often the event comes, there is one notification.
    occasion text not null,
    kind text not null,
    -- Path below the site's base URL.
    path text,
    subject_id uuid,
    created_at timestamptz(3) not null,
    read_at timestamptz(3),
    parameters jsonb not null,
    constraint notification_pkey primary key (notification_id),
    constraint notification_site_id_person_id_occasion_key unique (site_id, person_id, occasion)
  );
  -- A page of viewer.notifications, in its order.
  create index notification_page on notifications (site_id, person_id, created_at desc, notification_id desc);
  -- What is left to mark as read, oldest first.
  create index notification_unread on notifications (site_id, person_id, created_at) where read_at is null;
  -- The oldest, which the retention removes.
  create index notification_created_at on notifications (created_at);
  -- Replies to one comment
  create index notification_replies on notifications (site_id, occasion) where kind = 'comment_replied';

  -- Unread notifications are counted where they are made and read, so that an inbox of 100,000 costs one row to count.
  create table inbox_counts (
    site_id uuid,
    person_id uuid,
    unread int not null,
    constraint inbox_count_pkey primary key (site_id, person_id),
    constraint inbox_count_unread_check check (unread >= 0)
  ) with (fillfactor = 80);

  create table notification_subscriptions (
    site_id uuid not null,
    person_id uuid not null,
    topic text not null,
    -- The course that it is limited to; null for all of the topic. What is set for a course counts before that.
    entity_id uuid,
    -- Of the events about it.
    version int not null,
    active boolean not null,
    in_app boolean not null,
    email boolean not null,
    updated_at timestamptz(3) not null,
    constraint notification_subscription_site_id_person_id_topic_entity_id_key unique nulls not distinct (site_id,
      person_id, topic, entity_id)
  );

  create table fan_outs (
    site_id uuid,
    occasion text,
    kind text not null,
    audience text not null,
    -- The course or the event; null for the site.
    audience_id uuid,
    -- Path below the site's base URL; in the audience of a course null leads to the course.
    path text,
    -- Null for what a member has of the audience: the enrollment, the registration.
    subject_id uuid,
    created_at timestamptz(3) not null,
    -- The last person of the batch before.
    after_person uuid not null default '00000000-0000-0000-0000-000000000000',
    due_at timestamptz(3) not null,
    ended_at timestamptz(3),
    parameters jsonb not null,
    attempts int not null default 0,
    failure text,
    recipients_count int not null default 0,
    constraint fan_out_pkey primary key (site_id, occasion),
    constraint fan_out_audience_check check (audience in ('course', 'site', 'event', 'canceled_event', 'registration',
      'booking', 'product_grant', 'consulting_purchase', 'membership_plan', 'paying_members'))
  ) with (fillfactor = 80);
  -- The next jobs of each site.
  create index fan_out_due on fan_outs (site_id, due_at) where ended_at is null;
  -- Dead jobs, for the command that lists and retries them, and for the metric
  create index fan_out_dead on fan_outs (ended_at) where failure is not null;

  create table reminders (
    -- The event, or the booked session.
    subject_id uuid,
    minutes_before int,
    site_id uuid not null,
    kind text not null,
    -- Version of the subject: an older event never moves it back.
    version int not null,
    starts_at timestamptz(3) not null,
    due_at timestamptz(3) not null,
    -- Null while there is nothing to remind of: canceled, a draft, over.
    title text,
    path text,
    -- Who is reminded; null for all who are registered.
    person_id uuid,
    -- What that person's notification is about.
    person_subject_id uuid,
    ended_at timestamptz(3),
    epoch bigint not null default 1,
    attempts int not null default 0,
    failure text,
    constraint reminder_pkey primary key (subject_id, minutes_before)
  );
  -- The reminders that are due.
  create index reminder_due on reminders (site_id, due_at) where ended_at is null;
  -- Dead jobs, for the command that lists and retries them, and for the metric
  create index reminder_dead on reminders (ended_at) where failure is not null;

  create table outbound_mails (
    -- Also the left side of its Message-ID, so that a mail that had to be sent again is known as the same.
    mail_id uuid default uuidv7(),
    site_id uuid not null,
    person_id uuid not null,
    -- As that of the notification: one mail however often the event comes.
    occasion text not null,
    topic text not null,
    -- The course that the topic is about here.
    entity_id uuid,
    -- Path below the site's base URL.
    path text,
    created_at timestamptz(3) not null,
    attempts int not null default 0,
    -- Taken by a replica until then, or to be tried again then.
    due_at timestamptz(3) not null,
    -- Sent, or given up; null while it waits.
    ended_at timestamptz(3),
    -- A mail has no kind yet. An announcement says its title and body as they are.
    kind text not null,
    parameters jsonb not null,
    failure text,
    -- The mail in which a row is sent, set before it is sent: a retry sends the same rows again.
    digest_id uuid,
    constraint outbound_mail_pkey primary key (mail_id),
    constraint outbound_mail_site_id_person_id_occasion_key unique (site_id, person_id, occasion)
  ) with (fillfactor = 80);
  -- The next mails of each site.
  create index outbound_mail_due on outbound_mails (site_id, due_at) where ended_at is null;
  -- Mails that are over, which the retention removes.
  create index outbound_mail_ended_at on outbound_mails (ended_at) where ended_at is not null;
  -- Dead jobs, for the command that lists and retries them, and for the metric
  create index outbound_mail_dead on outbound_mails (ended_at) where failure is not null;
  -- Replies to one comment
  create index outbound_mail_replies on outbound_mails (site_id, occasion) where kind = 'comment_replied';
  -- The mails of a subscription in the last hour, those before a waiting one, and those of a digest.
  create index outbound_mails_subscription on outbound_mails (site_id, person_id, topic, created_at);
`;
