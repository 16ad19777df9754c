export const grants = `
  create table sessions (
    session_hash bytea primary key,
    -- Serves the engine's look-up by the session's inner id.
    uid text not null,
    site_id uuid not null,
    person_id uuid,
    payload jsonb not null,
    expires_at timestamptz(3) not null,
    -- The User-Agent of the sign-in, cut. Null for an anonymous session, and for one without the header.
    user_agent text check (length(user_agent) <= 400),
    constraint sessions_uid_key unique (uid),
    foreign key (site_id) references sites(site_id)
  );
  -- Serves "end all sessions of a person".
  create index sessions_of_person on sessions (person_id) where person_id is not null;
  -- The sweep of expired rows
  create index sessions_by_expiry on sessions (expires_at);

  create table interactions (
    interaction_hash bytea primary key,
    site_id uuid not null,
    payload jsonb not null,
    expires_at timestamptz(3) not null,
    -- The first decision, which others wait for.
    decided_at timestamptz(3),
    ended_at timestamptz(3),
    -- The response that continued the authorization, encrypted: its address contains a code.
    sealed_response bytea,
    foreign key (site_id) references sites(site_id)
  );
  -- The sweep of expired rows
  create index interactions_by_expiry on interactions (expires_at);

  create table grants (
    grant_id text primary key,
    site_id uuid not null,
    person_id uuid not null,
    client_key uuid not null,
    -- Copied from the client, whose id and audience never change: introspection needs one join less.
    client_id text not null,
    audience text not null,
    payload jsonb not null,
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    used_rotation int not null default '-1',
    -- The refresh token of used_rotation that was used, and how often it was repeated afterwards.
    used_token bytea,
    used_at timestamptz(3),
    used_repeats smallint not null default 0,
    tools_used_at timestamptz(3),
    foreign key (site_id) references sites(site_id),
    foreign key (person_id) references people(person_id),
    foreign key (client_key) references clients(client_key)
  ) with (fillfactor = 80);
  -- Serves revocation by role change, suspension and password change.
  create index grants_of_person on grants (person_id, site_id);
  -- Serves revocation by deletion of a client, and the foreign key.
  create index grants_of_client on grants (client_key);
  -- Serves the sweep of grants that never came to a token.
  create index grants_by_age on grants (created_at);

  create table authorization_codes (
    -- Primary key serves the exchange.
    code_hash bytea primary key,
    grant_id text not null,
    site_id uuid not null,
    payload jsonb not null,
    -- A used code is kept until it expires, so that its replay is seen.
    consumed_at timestamptz(3),
    expires_at timestamptz(3) not null,
    foreign key (grant_id) references grants(grant_id) on delete cascade
  );
  -- The revocation of a grant
  create index authorization_codes_of_grant on authorization_codes (grant_id);
  -- The sweep of expired rows
  create index authorization_codes_by_expiry on authorization_codes (expires_at);

  create table access_tokens (
    -- Primary key serves introspection, the hottest query of the platform.
    token_hash bytea primary key,
    grant_id text not null,
    site_id uuid not null,
    -- The origin that the token is bound to (RFC 8707).
    resource text not null,
    scope text not null,
    issued_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    foreign key (grant_id) references grants(grant_id) on delete cascade
  );
  -- The revocation of a grant
  create index access_tokens_of_grant on access_tokens (grant_id);
  -- The sweep of expired rows
  create index access_tokens_by_expiry on access_tokens (expires_at);

  create table refresh_tokens (
    -- Primary key serves the refresh.
    token_hash bytea primary key,
    grant_id text not null,
    site_id uuid not null,
    -- How many rotations lie before this token: tells a repeat of the newest from a replay of an old one.
    rotation int not null,
    payload jsonb not null,
    consumed_at timestamptz(3),
    expires_at timestamptz(3) not null,
    repeats smallint not null default 0,
    foreign key (grant_id) references grants(grant_id) on delete cascade
  );
  -- The revocation of a grant
  create index refresh_tokens_of_grant on refresh_tokens (grant_id);
  -- The sweep of expired rows
  create index refresh_tokens_by_expiry on refresh_tokens (expires_at);
`;
