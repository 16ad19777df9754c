export const catalog = `
  create table sites (
    site_id uuid,
    version int not null,
    base_url text not null,
    name text not null,
    slug text not null,
    state text not null,
    org_id text,
    epoch bigint not null default 1,
    locale text,
    course_url text,
    constraint site_pkey primary key (site_id),
    constraint site_state_check check (state in ('active', 'suspended'))
  );

  create table clients (
    client_key uuid,
    version int not null,
    -- Null for clients of the whole deployment.
    site_id uuid,
    origins text[] not null,
    active boolean not null,
    epoch bigint not null default 1,
    constraint client_pkey primary key (client_key)
  );
  -- The origins of a site.
  create index client_site on clients (site_id) where active;

  create table courses (
    course_id uuid,
    site_id uuid not null,
    version int not null,
    slug text not null,
    name text not null,
    image_url text,
    state text not null,
    epoch bigint not null default 1,
    constraint course_pkey primary key (course_id),
    constraint course_state_check check (state in ('draft', 'published', 'unpublished', 'archived', 'deleted'))
  );

  create table curricula (
    site_id uuid,
    course_id uuid,
    epoch bigint not null,
    version int not null,
    -- What members see, in order.
    sections jsonb not null,
    -- Null: no piece waits for others.
    pieces jsonb,
    primary key (site_id, course_id)
  );

  create table lecture_attachments (
    site_id uuid,
    lecture_id uuid,
    course_id uuid not null,
    epoch bigint not null,
    version int not null,
    attachments jsonb not null,
    primary key (site_id, lecture_id)
  );

  create table texts (
    site_id uuid,
    owner_id uuid,
    piece int,
    pieces int not null,
    epoch bigint not null,
    version int not null,
    html text not null,
    primary key (site_id, owner_id, piece)
  );

  create table posts (
    post_id uuid,
    site_id uuid not null,
    version int not null,
    slug text not null,
    title text not null,
    state text not null,
    epoch bigint not null default 1,
    constraint post_pkey primary key (post_id),
    constraint post_state_check check (state in ('draft', 'scheduled', 'published', 'archived', 'deleted'))
  );

  create table events (
    event_id uuid,
    site_id uuid not null,
    version int not null,
    slug text not null,
    name text not null,
    image_url text,
    hosting_type text not null,
    -- For registrants only.
    join_url text,
    location text,
    starts_at timestamptz(3) not null,
    ends_at timestamptz(3) not null,
    timezone text not null,
    state text not null,
    epoch bigint not null default 1,
    -- null until the event is published again (\\\`rebuild event-registrations\\\`)
    canceled_at timestamptz(3),
    tickets jsonb not null default '[]',
    constraint event_pkey primary key (event_id),
    constraint event_hosting_type_check check (hosting_type in ('zoom', 'live_session', 'custom', 'in_person')),
    constraint event_state_check check (state in ('draft', 'published', 'live', 'ended', 'deleted', 'canceled'))
  );

  create table digital_products (
    digital_product_id uuid,
    site_id uuid not null,
    version int not null,
    slug text not null,
    name text not null,
    description text,
    image_url text,
    state text not null,
    -- Of one grant, all files together; null means without limit.
    download_limit int,
    -- [{ file_id, name, content_type, size_bytes, storage_url }], in the order in which they are shown.
    files jsonb not null,
    epoch bigint not null default 1,
    constraint digital_product_pkey primary key (digital_product_id),
    constraint digital_product_state_check check (state in ('draft', 'published', 'unpublished', 'archived',
      'deleted')),
    constraint digital_product_download_limit_check check (download_limit > 0)
  );

  create table consulting_services (
    consulting_service_id uuid,
    site_id uuid not null,
    version int not null,
    slug text not null,
    name text not null,
    state text not null,
    -- Both are null while no lecturer is named.
    lecturer_id uuid,
    lecturer_name text,
    timezone text not null,
    epoch bigint not null default 1,
    constraint consulting_service_pkey primary key (consulting_service_id),
    constraint consulting_service_state_check check (state in ('draft', 'published', 'unpublished', 'archived',
      'deleted')),
    constraint consulting_service_check check ((lecturer_id is null) = (lecturer_name is null))
  );
`;
