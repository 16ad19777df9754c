export const members = `
  create table people (
    person_id uuid,
    version int not null,
    email text not null,
    name text not null,
    picture text,
    locale text,
    state text not null,
    epoch bigint not null default 1,
    constraint person_pkey primary key (person_id),
    constraint person_state_check check (state in ('active', 'suspended', 'deleted'))
  );

  -- Read by its key for the fence of every query, and by the person alone for the list of schools.
  create table memberships (
    person_id uuid,
    site_id uuid,
    version int not null,
    roles text[] not null,
    joined_at timestamptz(3) not null,
    name text,
    picture text,
    locale text,
    epoch bigint not null default 1,
    -- Null until the next event of the role, and for a member who has chosen no zone.
    timezone text,
    constraint membership_pkey primary key (person_id, site_id)
  );
  -- Recipients of a fan-out
  create index membership_audience on memberships (site_id, person_id) where roles <> '{}'::text[];

  create table enrollments (
    enrollment_id uuid,
    site_id uuid not null,
    person_id uuid not null,
    course_id uuid not null,
    version int not null,
    state text not null,
    started_at timestamptz(3) not null,
    expires_at timestamptz(3),
    completion_rate double precision not null,
    completed_at timestamptz(3),
    -- When the member was notified of it; null until it is active and its course is known.
    announced_at timestamptz(3),
    epoch bigint not null default 1,
    first_started_at timestamptz(3),
    source text,
    constraint enrollment_pkey primary key (enrollment_id),
    constraint enrollment_state_check check (state in ('pending', 'active', 'expired', 'revoked')),
    constraint enrollment_completion_rate_check check ((completion_rate >= (0)::double precision)
      and (completion_rate <= (1)::double precision))
  );
  -- The members of a course, and those of a site, in batches.
  create index enrollment_audience on enrollments (site_id, course_id, person_id) where state = 'active';
  -- A page of viewer.enrolledCourses, in its order.
  create index enrollment_page on enrollments (site_id, person_id, started_at desc, enrollment_id desc);
  -- The enrollments that wait for their course to be announced; nearly always none.
  create index enrollment_unannounced on enrollments (course_id) where announced_at is null and state = 'active';
  -- The members of a course
  create index enrollment_members on enrollments (site_id, person_id) where state = 'active';

  create table playbacks (
    site_id uuid,
    person_id uuid,
    course_id uuid,
    lecture_id uuid not null,
    title text,
    position_seconds int not null,
    watched_at timestamptz(3) not null,
    -- Of two positions watched at one instant, that of the greater lecture id and version stays: see \`applyProgress\`.
    version int not null default 0,
    epoch bigint not null default 1,
    constraint playback_pkey primary key (site_id, person_id, course_id),
    constraint playback_position_seconds_check check (position_seconds >= 0)
  );

  create table lecture_progress (
    site_id uuid,
    person_id uuid,
    course_id uuid,
    lecture_id uuid,
    epoch bigint not null,
    version int not null,
    position_seconds int not null check (position_seconds >= 0),
    watched_at timestamptz(3) not null,
    completed_at timestamptz(3),
    primary key (site_id, person_id, course_id, lecture_id)
  );

  create table subscriptions (
    subscription_id uuid primary key,
    site_id uuid not null,
    person_id uuid not null,
    plan_id uuid not null,
    epoch bigint not null,
    version int not null,
    state text not null
  );
  -- the members of a membership plan, in batches
  create index subscription_audience on subscriptions (site_id, plan_id, person_id) where state in ('trialing',
    'active', 'past_due');
  -- the members who paid, in batches
  create index subscription_members on subscriptions (site_id, person_id) where state in ('trialing', 'active',
    'past_due');

  create table digital_product_grants (
    grant_id uuid,
    site_id uuid not null,
    person_id uuid not null,
    digital_product_id uuid not null,
    version int not null,
    state text not null,
    granted_at timestamptz(3) not null,
    expires_at timestamptz(3),
    epoch bigint not null default 1,
    constraint digital_product_grant_pkey primary key (grant_id),
    constraint digital_product_grant_state_check check (state in ('active', 'expired', 'revoked'))
  );
  -- A page of viewer.digitalProducts, in its order.
  create index digital_product_grant_page on digital_product_grants (site_id, person_id, granted_at desc,
    grant_id desc);

  -- This service owns the downloads. A rebuild of the copies keeps them.
  create table digital_product_downloads (
    grant_id uuid,
    site_id uuid not null,
    count int not null,
    last_at timestamptz(3) not null,
    constraint digital_product_download_pkey primary key (grant_id),
    constraint digital_product_download_count_check check (count > 0)
  ) with (fillfactor = 80);

  create table consulting_purchases (
    purchase_id uuid,
    site_id uuid not null,
    person_id uuid not null,
    consulting_service_id uuid not null,
    version int not null,
    state text not null,
    purchased_at timestamptz(3) not null,
    expires_at timestamptz(3),
    sessions_total int not null,
    sessions_used int not null,
    epoch bigint not null default 1,
    constraint consulting_purchase_pkey primary key (purchase_id),
    constraint consulting_purchase_state_check check (state in ('active', 'expired', 'revoked')),
    constraint consulting_purchase_sessions_total_check check (sessions_total >= 0),
    constraint consulting_purchase_sessions_used_check check (sessions_used >= 0)
  );
  -- A page of viewer.consultingServices, in its order.
  create index consulting_purchase_page on consulting_purchases (site_id, person_id, purchased_at desc,
    purchase_id desc);

  create table consulting_bookings (
    booking_id uuid,
    site_id uuid not null,
    person_id uuid not null,
    purchase_id uuid not null,
    version int not null,
    starts_at timestamptz(3) not null,
    ends_at timestamptz(3) not null,
    state text not null,
    join_url text,
    epoch bigint not null default 1,
    constraint consulting_booking_pkey primary key (booking_id),
    constraint consulting_booking_state_check check (state in ('scheduled', 'completed', 'no_show', 'canceled'))
  );
  -- consultingBookings of the viewer
  create index consulting_booking_page on consulting_bookings (site_id, person_id, purchase_id, starts_at desc,
    booking_id desc);

  create table event_registrations (
    registration_id uuid,
    site_id uuid not null,
    person_id uuid not null,
    event_id uuid not null,
    version int not null,
    state text not null,
    registered_at timestamptz(3) not null,
    checked_in_at timestamptz(3),
    canceled_at timestamptz(3),
    epoch bigint not null default 1,
    ticket_id uuid,
    constraint event_registration_pkey primary key (registration_id),
    constraint event_registration_state_check check (state in ('registered', 'waitlisted', 'checked_in', 'no_show',
      'canceled'))
  );
  -- A page of viewer.eventRegistrations, in its order.
  create index event_registration_page on event_registrations (site_id, person_id, registered_at desc,
    registration_id desc);
  -- the registrants of an event in batches, also those whom its cancellation canceled
  create index event_registration_audience on event_registrations (site_id, event_id, person_id);
`;
