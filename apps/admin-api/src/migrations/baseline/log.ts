export const log = `
  create table activity (
    site_id uuid,
    -- That of the event.
    id uuid,
    action text not null,
    object_type text not null,
    -- null: the settings of the site
    object_id uuid,
    member_id uuid,
    client_id text,
    via text not null check (via in ('rest', 'tool', 'graphql', 'page', 'command')),
    request_id text,
    -- Names alone: values may be personal data.
    changed_fields text[] not null default '{}',
    created_at timestamptz(3),
    primary key (site_id, created_at, id),
    constraint activity_has_actor check (member_id is not null or client_id is not null)
  ) partition by range (created_at);
  -- GET /activity?object_id=…
  create index activity_by_object on activity (site_id, object_id, created_at, id);
  -- GET /activity?object_type=…
  create index activity_by_type on activity (site_id, object_type, created_at, id);
  -- GET /activity?action=…
  create index activity_by_action on activity (site_id, action, created_at, id);
  -- GET /activity?member_id=…
  create index activity_by_member on activity (site_id, member_id, created_at, id);
  -- PostgreSQL gives it to each partition.
  create trigger activity_rows_stay before delete or update on activity for each row
    execute function activity_is_append_only();
  create trigger append_only before truncate on activity for each statement execute function activity_is_append_only();

  -- Rows of a month without a partition. The periodic task turns it into the partition of its months.
  create table activity_default partition of activity default;
  create trigger append_only before truncate on activity_default for each statement
    execute function activity_is_append_only();

  create table change_clock (
    one boolean default true primary key check (one),
    -- That of the last change of any site
    position bigint not null default 0
  );
  insert into change_clock default values;

  create table changes (
    site_id uuid,
    type text,
    -- Microseconds of the recording: unique, and visible in this order
    position bigint,
    -- That of the event
    id uuid not null,
    object_id uuid not null,
    -- The course that the object belongs to, whose teachers read the change
    course_id uuid,
    -- No personal data but ids
    data jsonb not null,
    occurred_at timestamptz(3) not null,
    -- The instant of the position
    created_at timestamptz(3),
    primary key (site_id, type, position, created_at)
  ) partition by range (created_at);
  -- GET /changes of a teacher
  create index changes_by_course on changes (site_id, course_id, "position") where course_id is not null;
  create trigger changes_rows_stay before delete or update on changes for each row
    execute function changes_are_append_only();
  create trigger append_only before truncate on changes for each statement execute function changes_are_append_only();

  -- Rows of a month without a partition. The periodic task turns it into the partition of its months.
  create table changes_default partition of changes default;
  create trigger append_only before truncate on changes_default for each statement
    execute function changes_are_append_only();
`;
