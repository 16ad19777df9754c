export const webhooks = `
  create table webhook_endpoints (
    site_id uuid,
    id uuid default uuidv7(),
    url text not null,
    description text,
    event_types text[] not null,
    state text not null check (state in ('enabled', 'disabled', 'paused')),
    reason text check (reason in ('requested', 'gone', 'failing', 'creator_lost_access', 'client_deleted')),
    created_by uuid not null,
    -- OAuth client of the token that created or claimed the endpoint
    client_id text not null,
    -- AES-256-GCM under KEY_ENCRYPTION_KEY: nonce (12) | tag (16) | ciphertext; site and id are the additional data
    sealed_secret bytea not null,
    previous_sealed_secret bytea,
    previous_secret_until timestamptz(3),
    external_id text,
    metadata jsonb not null default '{}',
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (site_id, id),
    constraint webhook_endpoints_check check ((state = 'enabled') = (reason is null)),
    constraint webhook_endpoints_check1 check ((previous_sealed_secret is null) = (previous_secret_until is null)),
    -- GET /webhook_endpoints?external_id=…, and the upsert
    constraint webhook_endpoints_external_id unique (site_id, external_id)
  );
  -- sort=created_at and created_at[…]
  create index webhook_endpoints_created on webhook_endpoints (site_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index webhook_endpoints_updated on webhook_endpoints (site_id, updated_at, id);
  -- state=…
  create index webhook_endpoints_state on webhook_endpoints (site_id, state, created_at, id);
  -- endpoints of a member who lost access
  create index webhook_endpoints_creator on webhook_endpoints (site_id, created_by);
  -- endpoints of a deleted client, of all sites
  create index webhook_endpoints_client on webhook_endpoints (client_id) where state <> 'paused';
  -- secrets of all sites whose time is over
  create index webhook_endpoints_previous on webhook_endpoints (previous_secret_until)
    where previous_secret_until is not null;
  -- metadata[…]=…
  create index webhook_endpoints_metadata on webhook_endpoints using gin (site_id, metadata jsonb_path_ops)
    where metadata <> '{}'::jsonb;

  create table webhook_deliveries (
    site_id uuid,
    id uuid default uuidv7(),
    endpoint_id uuid not null,
    -- webhook-id
    event_id uuid not null,
    event_type text not null,
    -- null: a test
    object_id text,
    occurred_at timestamptz(3) not null,
    data jsonb not null,
    state text not null default 'pending' check (state in ('pending', 'succeeded', 'failed')),
    attempts int not null default 0,
    -- next attempt; null: ended
    due_at timestamptz(3) default now(),
    attempted_at timestamptz(3),
    response_status int,
    response_ms int,
    error text,
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    -- The beginning of the response to the last attempt, without the secrets of the endpoint; null: none, or erased
    response_body text,
    primary key (site_id, id),
    constraint webhook_deliveries_check check ((state = 'pending') = (due_at is not null)),
    -- A repeated event is delivered once to an endpoint
    constraint webhook_deliveries_event unique (site_id, endpoint_id, event_id)
  );
  -- the next deliveries of an endpoint
  create index webhook_deliveries_due on webhook_deliveries (site_id, endpoint_id, due_at, id) where due_at is not null;
  -- sort=created_at and created_at[…]
  create index webhook_deliveries_created on webhook_deliveries (site_id, created_at, id);
  -- endpoint_id=…
  create index webhook_deliveries_endpoint on webhook_deliveries (site_id, endpoint_id, created_at, id);
  -- state=…
  create index webhook_deliveries_state on webhook_deliveries (site_id, state, created_at, id);
  -- deliveries of all sites that are older than 30 days
  create index webhook_deliveries_age on webhook_deliveries (created_at);
  -- Responses of the site in the order of the search for a removed member
  create index webhook_deliveries_stored on webhook_deliveries (site_id, id) where response_body is not null;

  -- The work of each endpoint. Its row is the lock of a batch: no other replica sends to the endpoint meanwhile.
  create table webhook_queues (
    site_id uuid,
    endpoint_id uuid,
    -- next attempt of a delivery; null: nothing is due
    due_at timestamptz(3),
    leased_until timestamptz(3),
    -- first failure since the last success
    failing_since timestamptz(3),
    -- Nothing is sent to the endpoint before; null: the receiver asked for no pause
    held_until timestamptz(3),
    -- Last removal of a member: responses of turns from before it are not stored
    erased_at timestamptz(3),
    primary key (site_id, endpoint_id),
    foreign key (site_id, endpoint_id) references webhook_endpoints(site_id, id) on delete cascade
  );
  -- due endpoints of all sites, those that fail apart
  create index webhook_queues_due on webhook_queues (((failing_since is not null)), due_at) where due_at is not null;

  create table webhook_erasures (
    site_id uuid,
    id uuid default uuidv7(),
    -- Ids of the member and the student
    ids text[] not null,
    -- Address, name, phone number and own key, as bodies spell them, in lower case. The row ends with the search
    texts text[] not null,
    -- Last delivery of the pieces that were searched
    after_id uuid not null default '00000000-0000-0000-0000-000000000000',
    due_at timestamptz(3) not null default date_trunc('milliseconds'::text, now()),
    attempts int not null default 0,
    ended_at timestamptz(3),
    failure text,
    primary key (site_id, id)
  );
  -- due searches of a site
  create index webhook_erasures_due on webhook_erasures (site_id, due_at) where ended_at is null;
  -- dead-jobs list
  create index webhook_erasures_dead on webhook_erasures (ended_at) where failure is not null;
`;
