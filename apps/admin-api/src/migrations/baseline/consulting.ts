export const consulting = `
  create table consulting_services (
    site_id uuid,
    id uuid default uuidv7(),
    slug text not null,
    name text not null,
    description_html text,
    image_url text,
    state text not null default 'draft' check (state in ('draft', 'published', 'unpublished', 'archived')),
    timezone text not null,
    duration_minutes int not null check (duration_minutes > 0),
    sessions_included int not null check (sessions_included > 0),
    -- null: sessions never expire
    validity_days int check (validity_days > 0),
    cancel_notice_hours int not null check (cancel_notice_hours >= 0),
    -- null: not for sale
    price_amount_minor bigint check (price_amount_minor between 0 and 9007199254740991),
    price_currency text check (price_currency ~ '^[A-Z]{3}$'),
    hosting_type text not null check (hosting_type in ('zoom', 'live_session', 'custom', 'in_person')),
    location text,
    join_url text,
    external_id text,
    metadata jsonb not null default '{}',
    published_at timestamptz(3),
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (site_id, id),
    constraint consulting_services_check check ((price_amount_minor is null) = (price_currency is null)),
    constraint consulting_services_slug unique (site_id, slug),
    -- GET /consulting_services?external_id=…, and the upsert
    constraint consulting_services_external_id unique (site_id, external_id)
  );
  -- sort=created_at and created_at[…]
  create index consulting_services_created on consulting_services (site_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index consulting_services_updated on consulting_services (site_id, updated_at, id);
  -- sort=name
  create index consulting_services_name on consulting_services (site_id, name, id);
  -- state=…
  create index consulting_services_state on consulting_services (site_id, state, created_at, id);
  -- q=…
  create index consulting_services_by_text on consulting_services using gin (site_id,
    (((name || ' ') || slug)) gin_trgm_ops);
  -- metadata[…]=…
  create index consulting_services_metadata on consulting_services using gin (site_id, metadata jsonb_path_ops)
    where metadata <> '{}'::jsonb;

  create table consulting_service_lecturers (
    site_id uuid,
    consulting_service_id uuid,
    lecturer_id uuid,
    -- In the order in which the service names them
    position int not null,
    primary key (site_id, consulting_service_id, lecturer_id),
    foreign key (site_id, consulting_service_id) references consulting_services(site_id, id) on delete cascade,
    foreign key (site_id, lecturer_id) references lecturers(site_id, id)
  );
  -- the fence of teachers: the services of a lecturer
  create index consulting_service_lecturers_by_lecturer on consulting_service_lecturers (site_id, lecturer_id,
    consulting_service_id);

  create table consulting_slots (
    site_id uuid,
    id uuid default uuidv7(),
    consulting_service_id uuid not null,
    lecturer_id uuid,
    starts_at timestamptz(3) not null,
    ends_at timestamptz(3) not null,
    capacity int not null default 1 check (capacity > 0),
    -- A booking counts in the transaction that makes it
    booked_count int not null default 0,
    state text not null default 'open' check (state in ('open', 'canceled')),
    location text,
    join_url text,
    external_id text,
    metadata jsonb not null default '{}',
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (site_id, id),
    constraint consulting_slots_check check (starts_at < ends_at),
    constraint consulting_slots_check1 check (booked_count between 0 and capacity),
    -- GET /consulting_services/{consulting_service_id}/slots?external_id=…
    constraint consulting_slots_external_id unique (site_id, external_id),
    foreign key (site_id, consulting_service_id) references consulting_services(site_id, id),
    foreign key (site_id, lecturer_id) references lecturers(site_id, id)
  );
  -- the slots of a service, sort=starts_at and starts_at[…]
  create index consulting_slots_starts on consulting_slots (site_id, consulting_service_id, starts_at, id);
  -- sort=created_at and created_at[…]
  create index consulting_slots_created on consulting_slots (site_id, consulting_service_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index consulting_slots_updated on consulting_slots (site_id, consulting_service_id, updated_at, id);
  -- state=…
  create index consulting_slots_state on consulting_slots (site_id, consulting_service_id, state, starts_at, id);
  -- lecturer_id=…
  create index consulting_slots_lecturer on consulting_slots (site_id, consulting_service_id, lecturer_id, starts_at,
    id);
  -- other slots of a lecturer at the same time
  create index consulting_slots_of_lecturer on consulting_slots (site_id, lecturer_id, starts_at) where state = 'open';
  -- metadata[…]=…
  create index consulting_slots_metadata on consulting_slots using gin (site_id, metadata jsonb_path_ops)
    where metadata <> '{}'::jsonb;

  create table consulting_purchases (
    site_id uuid,
    id uuid default uuidv7(),
    consulting_service_id uuid not null,
    student_id uuid not null,
    state text not null default 'active' check (state in ('active', 'revoked')),
    purchased_at timestamptz(3) not null default now(),
    -- null: never
    expires_at timestamptz(3),
    sessions_total int not null,
    -- A booking counts in the transaction that makes it
    sessions_used int not null default 0,
    external_id text,
    metadata jsonb not null default '{}',
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (site_id, id),
    constraint consulting_purchases_check check (sessions_used between 0 and sessions_total),
    -- GET /consulting_services/{consulting_service_id}/purchases?external_id=…, and commands of storefronts
    constraint consulting_purchases_external_id unique (site_id, external_id),
    foreign key (site_id, consulting_service_id) references consulting_services(site_id, id),
    foreign key (site_id, student_id) references students(site_id, id)
  );
  -- the purchases of a service, sort=created_at and created_at[…]
  create index consulting_purchases_created on consulting_purchases (site_id, consulting_service_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index consulting_purchases_updated on consulting_purchases (site_id, consulting_service_id, updated_at, id);
  -- student_id=…, and the purchases of a student who is linked
  create index consulting_purchases_student on consulting_purchases (site_id, student_id, consulting_service_id,
    created_at, id);
  -- metadata[…]=…
  create index consulting_purchases_metadata on consulting_purchases using gin (site_id, metadata jsonb_path_ops)
    where metadata <> '{}'::jsonb;

  create table consulting_bookings (
    site_id uuid,
    id uuid default uuidv7(),
    slot_id uuid not null,
    purchase_id uuid not null,
    consulting_service_id uuid not null,
    student_id uuid not null,
    -- Of the slot
    starts_at timestamptz(3) not null,
    ends_at timestamptz(3) not null,
    state text not null default 'scheduled' check (state in ('scheduled', 'completed', 'no_show', 'canceled')),
    canceled_at timestamptz(3),
    -- whether a cancellation gave the session back to the purchase
    session_returned boolean not null default false,
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    external_id text,
    metadata jsonb not null default '{}',
    primary key (site_id, id),
    constraint consulting_bookings_check check ((state = 'canceled') = (canceled_at is not null)),
    foreign key (site_id, slot_id) references consulting_slots(site_id, id),
    foreign key (site_id, purchase_id) references consulting_purchases(site_id, id),
    foreign key (site_id, student_id) references students(site_id, id),
    -- GET /slots/{slot_id}/bookings?external_id=…
    constraint consulting_bookings_external_id unique (site_id, external_id)
  );
  -- the bookings of a slot, sort=created_at and created_at[…]
  create index consulting_bookings_created on consulting_bookings (site_id, slot_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index consulting_bookings_updated on consulting_bookings (site_id, slot_id, updated_at, id);
  -- state=…
  create index consulting_bookings_state on consulting_bookings (site_id, slot_id, state, created_at, id);
  -- the booked sessions of a purchase
  create index consulting_bookings_purchase on consulting_bookings (site_id, purchase_id, state);
  -- the bookings of a student who is linked
  create index consulting_bookings_student on consulting_bookings (site_id, student_id);
  -- GET /slots/{slot_id}/bookings?metadata[key]=…
  create index consulting_bookings_metadata on consulting_bookings using gin (site_id, metadata jsonb_path_ops)
    where metadata <> '{}'::jsonb;
`;
