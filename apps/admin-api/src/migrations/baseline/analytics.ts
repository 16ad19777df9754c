export const analytics = `
  create table analytics_sales (
    site_id uuid,
    -- Start of a quarter of an hour, as in all rollups
    quarter timestamptz(3),
    currency text,
    orders_count bigint not null,
    gross_minor bigint not null,
    discount_minor bigint not null,
    tax_minor bigint not null,
    refunds_count bigint not null,
    refunded_minor bigint not null,
    primary key (site_id, quarter, currency)
  );

  create table analytics_enrollments (
    site_id uuid not null,
    -- null: all courses
    course_id uuid,
    -- When the students were enrolled
    quarter timestamptz(3) not null,
    enrolled_count bigint not null,
    -- Of them, up to now
    started_count bigint not null,
    completed_count bigint not null,
    constraint analytics_enrollments_site_id_course_id_quarter_key unique nulls not distinct (site_id, course_id,
      quarter)
  );
  -- serves a second count of the rows of a quarter
  create index analytics_enrollments_quarter on analytics_enrollments (site_id, quarter);

  create table analytics_memberships (
    site_id uuid,
    quarter timestamptz(3),
    currency text,
    started_count bigint not null,
    started_minor bigint not null,
    ended_count bigint not null,
    ended_minor bigint not null,
    primary key (site_id, quarter, currency)
  );

  -- Sums of analytics_memberships by month of UTC
  create table analytics_membership_months (
    site_id uuid,
    month timestamptz(3),
    currency text,
    started_count bigint not null,
    started_minor bigint not null,
    ended_count bigint not null,
    ended_minor bigint not null,
    primary key (site_id, month, currency)
  );

  create table analytics_cohorts (
    site_id uuid,
    -- Slots of the start and the end; infinity: not ended
    started timestamptz(3),
    ended timestamptz(3),
    subscriptions_count bigint not null,
    primary key (site_id, started, ended)
  );

  create table analytics_attendance (
    site_id uuid,
    -- When the events start
    quarter timestamptz(3),
    events_count bigint not null,
    registered_count bigint not null,
    attended_count bigint not null,
    missed_count bigint not null,
    waitlisted_count bigint not null,
    canceled_count bigint not null,
    primary key (site_id, quarter)
  );

  -- Quarters whose rows have changed since they were counted. Each change inserts a mark and waits for no other
  create table analytics_marks (
    site_id uuid,
    marked_at timestamptz(3) default date_trunc('milliseconds'::text, clock_timestamp()),
    id bigint generated always as identity,
    rollup text not null check (rollup in ('sales', 'enrollments', 'memberships', 'cohorts', 'attendance')),
    quarter timestamptz(3) not null,
    primary key (site_id, marked_at, id)
  );
  -- the next marks, of all sites
  create index analytics_marks_next on analytics_marks (id);

  create table analytics_sales_hours (
    site_id uuid,
    -- Start of an hour of UTC, as in all tables of hours
    hour timestamptz(3),
    currency text,
    orders_count bigint not null,
    gross_minor bigint not null,
    discount_minor bigint not null,
    tax_minor bigint not null,
    refunds_count bigint not null,
    refunded_minor bigint not null,
    primary key (site_id, hour, currency)
  );

  create table analytics_enrollments_hours (
    site_id uuid not null,
    -- null: all courses
    course_id uuid,
    hour timestamptz(3) not null,
    enrolled_count bigint not null,
    started_count bigint not null,
    completed_count bigint not null,
    constraint analytics_enrollments_hours_site_id_course_id_hour_enrolled_key unique nulls not distinct (site_id,
      course_id, hour) include (enrolled_count, started_count, completed_count)
  );
  -- the rows of an hour that is counted again
  create index analytics_enrollments_hours_hour on analytics_enrollments_hours (site_id, hour);

  create table analytics_memberships_hours (
    site_id uuid,
    hour timestamptz(3),
    currency text,
    started_count bigint not null,
    started_minor bigint not null,
    ended_count bigint not null,
    ended_minor bigint not null,
    primary key (site_id, hour, currency)
  );

  create table analytics_attendance_hours (
    site_id uuid,
    hour timestamptz(3),
    events_count bigint not null,
    registered_count bigint not null,
    attended_count bigint not null,
    missed_count bigint not null,
    waitlisted_count bigint not null,
    canceled_count bigint not null,
    primary key (site_id, hour)
  );

  create table analytics_sales_blocks (
    site_id uuid,
    block timestamptz(3),
    currency text,
    orders_count bigint not null,
    gross_minor bigint not null,
    discount_minor bigint not null,
    tax_minor bigint not null,
    refunds_count bigint not null,
    refunded_minor bigint not null,
    primary key (site_id, block, currency)
  );

  create table analytics_enrollments_blocks (
    site_id uuid not null,
    course_id uuid,
    block timestamptz(3) not null,
    enrolled_count bigint not null,
    started_count bigint not null,
    completed_count bigint not null,
    constraint analytics_enrollments_blocks_site_id_course_id_hour_enrolle_key unique nulls not distinct (site_id,
      course_id, block) include (enrolled_count, started_count, completed_count)
  );
  -- Sums of a period of one site
  create index analytics_enrollments_blocks_site_id_hour_idx on analytics_enrollments_blocks (site_id, block);

  create table analytics_memberships_blocks (
    site_id uuid,
    block timestamptz(3),
    currency text,
    started_count bigint not null,
    started_minor bigint not null,
    ended_count bigint not null,
    ended_minor bigint not null,
    primary key (site_id, block, currency)
  );

  create table analytics_attendance_blocks (
    site_id uuid,
    block timestamptz(3),
    events_count bigint not null,
    registered_count bigint not null,
    attended_count bigint not null,
    missed_count bigint not null,
    waitlisted_count bigint not null,
    canceled_count bigint not null,
    primary key (site_id, block)
  );

  create function analytics_mark_all() returns bigint language sql as $$
        with marked as (
          insert into analytics_marks (site_id, rollup, quarter)
          select site_id, 'sales', analytics_quarter(paid_at) from orders where paid_at is not null
          union select site_id, 'sales', analytics_quarter(refunded_at) from order_refunds
          union select site_id, 'enrollments', analytics_quarter(created_at) from enrollments
          union select site_id, 'memberships', analytics_quarter(paying_from) from subscriptions
            where paying_from is not null
          union select site_id, 'memberships', analytics_quarter(ended_at) from subscriptions
            where paying_from is not null and ended_at is not null
          union select site_id, 'cohorts', analytics_slot(paying_from) from subscriptions where paying_from is not null
          union select site_id, 'attendance', analytics_quarter(starts_at) from events
          union select site_id, 'sales', quarter from analytics_sales
          union select site_id, 'enrollments', quarter from analytics_enrollments
          union select site_id, 'memberships', quarter from analytics_memberships
          union select site_id, 'cohorts', started from analytics_cohorts
          union select site_id, 'attendance', quarter from analytics_attendance
          union select site_id, 'sales', hour from analytics_sales_hours
          union select site_id, 'enrollments', hour from analytics_enrollments_hours
          union select site_id, 'memberships', hour from analytics_memberships_hours
          union select site_id, 'attendance', hour from analytics_attendance_hours
          union select site_id, 'sales', block from analytics_sales_blocks
          union select site_id, 'enrollments', block from analytics_enrollments_blocks
          union select site_id, 'memberships', block from analytics_memberships_blocks
          union select site_id, 'attendance', block from analytics_attendance_blocks
          returning 1)
        select count(*) from marked $$;

  -- References to tables of later parts
  alter table pages add constraint pages_live_deployment foreign key (site_id, id, live_deployment_id) references page_deployments(site_id, page_id, id) deferrable initially deferred;
  alter table pages add constraint pages_previous_deployment foreign key (site_id, id, previous_deployment_id) references page_deployments(site_id, page_id, id) deferrable initially deferred;
`;
