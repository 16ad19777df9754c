export const events = `
  create table events (
    site_id uuid,
    id uuid default uuidv7(),
    slug text not null,
    name text not null,
    description_html text,
    image_url text,
    state text not null default 'draft' check (state in ('draft', 'published', 'live', 'ended', 'canceled')),
    hosting_type text not null check (hosting_type in ('zoom', 'live_session', 'custom', 'in_person')),
    -- For registrants only
    join_url text,
    -- Where it is, in words; null when it is online only
    location text,
    starts_at timestamptz(3) not null,
    ends_at timestamptz(3) not null,
    -- IANA name of the zone in which the times are shown
    timezone text not null,
    -- null: without limit
    capacity int check (capacity > 0),
    registrations_count int not null default 0 check (registrations_count >= 0),
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    -- A full event keeps a waiting list
    waitlist boolean not null default false,
    external_id text,
    metadata jsonb not null default '{}',
    published_at timestamptz(3),
    canceled_at timestamptz(3),
    -- Grows with each edit; the version grows with each event
    revision int not null default 1,
    -- Registrations wait for a place or for their cancellation: the clock goes on with them
    unsettled boolean not null default false,
    primary key (site_id, id),
    constraint events_check check (ends_at > starts_at),
    -- get_catalog_item, and the refusal of a second event of the same slug
    constraint events_slug unique (site_id, slug),
    -- GET /events?external_id=…, and the upsert
    constraint events_external_id unique (site_id, external_id),
    constraint events_canceled check ((state = 'canceled') = (canceled_at is not null))
  );
  -- Invented counts of earlier releases may be above the capacity
  alter table events add constraint events_within_capacity check (capacity is null or registrations_count <= capacity) not valid;
  -- list_events
  create index events_by_start on events (site_id, starts_at, id) where state in ('published', 'live', 'ended');
  -- search_catalog
  create index events_catalogue on events (site_id, name, id) where state in ('published', 'live');
  -- search_catalog with q
  create index events_by_text on events using gin (site_id, (((name || ' ') || slug)) gin_trgm_ops);
  -- GET /events, sorted by created_at and by starts_at
  create index events_by_created_at on events (site_id, created_at, id);
  -- sort=starts_at
  create index events_by_starts_at on events (site_id, starts_at, id);
  -- GET /events?state=…
  create index events_by_state on events (site_id, state, created_at, id);
  -- GET /events?sort=updated_at, and updated_at[…]
  create index events_by_updated_at on events (site_id, updated_at, id);
  -- the clock: events of all sites that are due
  create index events_due
    on events ((
case
    when unsettled then '-infinity'::timestamp with time zone
    when (state = 'published') then starts_at
    else ends_at
end)) where unsettled or state in ('published', 'live');
  -- metadata[…]=…
  create index events_metadata on events using gin (site_id, metadata jsonb_path_ops) where metadata <> '{}'::jsonb;
  create trigger analytics_insert after insert on events for each row when ((new.state <> 'draft'))
    execute function analytics_event();
  create trigger analytics_update after update on events for each row when (((old.state is distinct from new.state)
    or (old.starts_at is distinct from new.starts_at))) execute function analytics_event();

  -- Ways to take part in an event; one without any is free
  create table event_tickets (
    site_id uuid,
    id uuid default uuidv7(),
    event_id uuid not null,
    name text not null,
    price_amount_minor bigint not null check (price_amount_minor >= 0),
    price_currency text not null check (price_currency ~ '^[A-Z]{3}$'),
    position int not null default 1,
    -- null: as many as the event has places
    capacity int check (capacity > 0),
    -- Taken places. They change in the transaction of each registration
    sold_count int not null default 0,
    external_id text,
    metadata jsonb not null default '{}',
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (site_id, id),
    foreign key (site_id, event_id) references events(site_id, id) on delete cascade,
    constraint event_tickets_price_amount_minor_exact check (price_amount_minor <= 9007199254740991),
    -- GET /events/{event_id}/tickets?external_id=…
    constraint event_tickets_external_id unique (site_id, external_id),
    constraint event_tickets_check check (sold_count >= 0 and ((capacity is null) or (sold_count <= capacity)))
  );
  -- the tickets of an event in their order, and sort=position
  create index event_tickets_order on event_tickets (site_id, event_id, "position", id);
  -- sort=created_at and created_at[…]
  create index event_tickets_created on event_tickets (site_id, event_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index event_tickets_updated on event_tickets (site_id, event_id, updated_at, id);
  -- metadata[…]=…
  create index event_tickets_metadata on event_tickets using gin (site_id, metadata jsonb_path_ops)
    where metadata <> '{}'::jsonb;

  create table event_registrations (
    site_id uuid,
    id uuid default uuidv7(),
    event_id uuid not null,
    -- null: the event had no tickets
    ticket_id uuid,
    student_id uuid not null,
    state text not null check (state in ('registered', 'waitlisted', 'checked_in', 'no_show', 'canceled')),
    source text not null default 'manual' check (source in ('order', 'manual', 'free', 'import')),
    order_id uuid,
    registered_at timestamptz(3) not null default now(),
    checked_in_at timestamptz(3),
    canceled_at timestamptz(3),
    external_id text,
    metadata jsonb not null default '{}',
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (site_id, id),
    constraint event_registrations_check check ((state = 'canceled') = (canceled_at is not null)),
    constraint event_registrations_check1 check ((state = 'checked_in') = (checked_in_at is not null)),
    constraint event_registrations_check2 check ((source = 'order') = (order_id is not null)),
    -- GET /events/{event_id}/registrations?external_id=…
    constraint event_registrations_external_id unique (site_id, external_id),
    foreign key (site_id, event_id) references events(site_id, id),
    foreign key (site_id, ticket_id) references event_tickets(site_id, id)
  );
  -- allows one open registration of a student
  create unique index event_registrations_open on event_registrations (site_id, event_id, student_id)
    where state <> 'canceled';
  -- the registrations of an event, sort=created_at and created_at[…]
  create index event_registrations_created on event_registrations (site_id, event_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index event_registrations_updated on event_registrations (site_id, event_id, updated_at, id);
  -- state=…, and the open registrations of a canceled event
  create index event_registrations_state on event_registrations (site_id, event_id, state, created_at, id);
  -- ticket_id=…, and the deletion of a ticket
  create index event_registrations_ticket on event_registrations (site_id, event_id, ticket_id, created_at, id);
  -- student_id=…
  create index event_registrations_of_student on event_registrations (site_id, event_id, student_id, created_at, id);
  -- the waiting list in its order
  create index event_registrations_waiting on event_registrations (site_id, event_id, registered_at, id)
    where state = 'waitlisted';
  -- the registrations of a student who is linked
  create index event_registrations_student on event_registrations (site_id, student_id);
  -- the registrations that an order made
  create index event_registrations_order on event_registrations (site_id, order_id) where order_id is not null;
  -- metadata[…]=…
  create index event_registrations_metadata on event_registrations using gin (site_id, metadata jsonb_path_ops)
    where metadata <> '{}'::jsonb;
  create trigger analytics_insert after insert on event_registrations referencing new table as changed
    for each statement execute function analytics_registrations();
  create trigger analytics_update after update on event_registrations referencing new table as changed
    for each statement execute function analytics_registrations();
`;
