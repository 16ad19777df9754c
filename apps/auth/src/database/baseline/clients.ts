export const clients = `
  create table clients (
    client_key uuid default uuidv7() primary key,
    client_id text not null,
    -- Null for the clients of vendor platforms, which are one for the deployment.
    site_id uuid,
    name text not null,
    audience text not null check (audience in ('operator', 'member')),
    source text not null check (source in ('site', 'platform', 'loopback', 'document')),
    -- SHA-256 of a secret of 256 random bits: nothing slower is needed. Null for public clients.
    secret_hash bytea check (length(secret_hash) = 32),
    redirect_uris text[] not null check (cardinality(redirect_uris) > 0),
    scopes text[] not null,
    logo_uri text,
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    last_used_at timestamptz(3),
    deleted_at timestamptz(3),
    review text check (review in ('unreviewed', 'approved', 'blocked')),
    post_logout_redirect_uris text[] not null default '{}',
    compatibility_mode boolean not null default false,
    -- The secret before the current one. It is valid until the instant beside it.
    previous_secret_hash bytea check (length(previous_secret_hash) = 32),
    previous_secret_until timestamptz(3),
    constraint clients_check check (source <> 'platform' or site_id is null),
    -- Serves every look-up by client_id at a site. A deleted client keeps its id: it is never given away again.
    constraint clients_id_at_site unique nulls not distinct (client_id, site_id),
    foreign key (site_id) references sites(site_id),
    constraint clients_previous_secret_ends check ((previous_secret_hash is null) = (previous_secret_until is null)),
    -- A site reviews a document. A registered client can only be blocked.
    constraint clients_review_by_source
      check (
case source
    when 'document' then (review is not null)
    when 'loopback' then ((review is null)
      or (review = 'blocked'))
    else (review is null)
end)
  );
  -- Serves the sweep of registered clients that were never or long not used.
  create index clients_registered_idle on clients (COALESCE(last_used_at, created_at)) where source = 'loopback'
    and deleted_at is null;
  -- Serves "the applications of this site" in the admin area.
  create index clients_of_site on clients (site_id, client_key) where deleted_at is null;
  -- Serves the list of external clients in the admin area.
  create index clients_external on clients (site_id, client_key) where deleted_at is null and ((source = 'document')
    or ((source = 'loopback') and (last_used_at is not null)));

  create table client_documents (
    -- Primary key serves the question before each authorization: is the document still fresh.
    client_key uuid primary key,
    etag text,
    fetched_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    -- The address of the logo in the document, if it has a valid one.
    logo_uri text,
    foreign key (client_key) references clients(client_key) on delete cascade
  );
  -- Serves the sweep of unused documents.
  create index client_documents_by_expiry on client_documents (expires_at);

  create table client_logos (
    site_id uuid,
    client_key uuid,
    -- As it was at the approval.
    logo_uri text not null,
    type text check (type in ('image/png', 'image/jpeg', 'image/webp')),
    bytes bytea check (length(bytes) <= 65536),
    due_at timestamptz(3) not null default now(),
    attempts int not null default 0,
    ended_at timestamptz(3),
    failure text,
    primary key (site_id, client_key),
    constraint client_logos_check check ((type is null) = (bytes is null)),
    foreign key (site_id) references sites(site_id),
    foreign key (client_key) references clients(client_key) on delete cascade
  );
  -- The next jobs of each site.
  create index client_logos_due on client_logos (site_id, due_at) where ended_at is null;
  -- Dead jobs, for the command that lists and retries them, and for the metric.
  create index client_logos_dead on client_logos (ended_at) where failure is not null;
  -- The deletion of a client.
  create index client_logos_of_client on client_logos (client_key);

  create table consents (
    person_id uuid,
    client_key uuid,
    site_id uuid,
    resource text,
    scopes text[] not null,
    granted_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    primary key (person_id, client_key, site_id, resource),
    foreign key (person_id) references people(person_id),
    foreign key (client_key) references clients(client_key),
    foreign key (site_id) references sites(site_id)
  );
  -- Serves the sweep.
  create index consents_by_expiry on consents (expires_at);

  create table signing_keys (
    -- RFC 7638 thumbprint.
    kid text primary key,
    public_jwk jsonb not null,
    -- AES-256-GCM under KEY_ENCRYPTION_KEY: nonce (12) | tag (16) | ciphertext; the kid is the additional data.
    private_jwk bytea not null,
    created_at timestamptz(3) not null default now(),
    signs_from timestamptz(3) not null,
    -- Open end: it signs until a newer one takes over.
    signs_until timestamptz(3),
    published_until timestamptz(3)
  );
`;
