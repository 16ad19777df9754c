export const accounts = `
  -- One row per account and source of sign-ins that failed, and per limit and window; shared by all replicas.
  create table sign_in_attempts (
    attempt_key bytea primary key,
    failures int not null,
    last_at timestamptz(3) not null,
    blocked_until timestamptz(3) not null
  );
  -- Serves the sweep.
  create index sign_in_attempts_by_age on sign_in_attempts (last_at);

  create table passkeys (
    passkey_id uuid default uuidv7() primary key,
    site_id uuid not null,
    person_id uuid not null,
    -- The person's own word for it.
    name text not null check (name <> ''),
    credential_id bytea not null check ((length(credential_id) >= 1) and (length(credential_id) <= 1023)),
    -- COSE_Key (RFC 9052 §7).
    public_key bytea not null,
    sign_count bigint not null check (sign_count >= 0),
    -- It may be kept on several devices, and is now.
    backup_eligible boolean not null,
    backed_up boolean not null,
    transports text[] not null,
    created_at timestamptz(3) not null default now(),
    last_used_at timestamptz(3),
    -- Serves the sign-in.
    constraint passkeys_id_at_site unique (site_id, credential_id),
    foreign key (site_id) references sites(site_id),
    foreign key (person_id) references people(person_id)
  );
  -- Serves "the passkeys of this person here", and the end of all when a person is deleted.
  create index passkeys_of_person on passkeys (person_id, site_id);

  create table passkey_challenges (
    -- SHA-256, as of everything that proves something.
    challenge_hash bytea primary key,
    site_id uuid not null,
    ceremony text not null check (ceremony in ('create', 'get')),
    -- SHA-256 of what only the browser that was asked has.
    browser_hash bytea not null,
    expires_at timestamptz(3) not null,
    foreign key (site_id) references sites(site_id)
  );
  -- Serves the sweep.
  create index passkey_challenges_by_expiry on passkey_challenges (expires_at);

  create table invitations (
    token_hash bytea primary key,
    person_id uuid not null,
    site_id uuid not null,
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    used_at timestamptz(3),
    purpose text not null default 'invitation' check (purpose in ('invitation', 'password_reset')),
    foreign key (person_id) references people(person_id),
    foreign key (site_id) references sites(site_id)
  );
  -- Serves the sweep.
  create index invitations_by_expiry on invitations (expires_at);
  -- Serves "a used or newer link ends the older ones of the person".
  create index invitations_open on invitations (person_id) where used_at is null;

  create table email_links (
    token_hash bytea primary key,
    site_id uuid not null,
    purpose text not null check (purpose in ('sign_up', 'sign_in')),
    -- The link proves this address. A sign-up has no person yet.
    address text not null,
    browser_hash bytea not null,
    expires_at timestamptz(3) not null,
    used_at timestamptz(3),
    foreign key (site_id) references sites(site_id)
  );
  -- Ends the older links of an address, and all links of a person who sets a password.
  create index email_links_open on email_links (address) where used_at is null;
  -- The sweep of expired links.
  create index email_links_by_expiry on email_links (expires_at);

  create table email_link_requests (
    site_id uuid,
    request_id uuid default uuidv7(),
    purpose text not null check (purpose in ('sign_up', 'sign_in')),
    -- As the form had it, normalized: it may belong to no person.
    address text not null,
    -- The browser that requested the link.
    browser_hash bytea not null,
    requested_at timestamptz(3) not null default now(),
    due_at timestamptz(3) not null default now(),
    attempts int not null default 0,
    ended_at timestamptz(3),
    failure text,
    language text,
    primary key (site_id, request_id),
    foreign key (site_id) references sites(site_id)
  );
  -- The next jobs of each site.
  create index email_link_requests_due on email_link_requests (site_id, due_at) where ended_at is null;
  -- Dead jobs, for the command that lists and retries them, and for the metric.
  create index email_link_requests_dead on email_link_requests (ended_at) where failure is not null;
  -- The sweep of jobs that are done.
  create index email_link_requests_done on email_link_requests (ended_at) where failure is null;

  create table email_changes (
    -- A newer request of the person replaces the row.
    person_id uuid primary key,
    -- The site that the links belong to.
    site_id uuid not null,
    -- Normalized. It may belong to another person, which only the confirmation finds out.
    new_email text not null,
    -- SHA-256 of the token that is mailed to the present address. Its index serves the link.
    approve_hash bytea not null check (length(approve_hash) = 32),
    -- SHA-256 of the token that is mailed to the new address. Its index serves the link.
    confirm_hash bytea not null check (length(confirm_hash) = 32),
    -- As in people at the request: a new password or a sign-out everywhere makes the request void.
    sign_outs int not null,
    approved_at timestamptz(3),
    confirmed_at timestamptz(3),
    -- The links show it until the row expires.
    outcome text check (outcome in ('changed', 'refused', 'taken')),
    expires_at timestamptz(3) not null,
    constraint email_changes_approve_hash_key unique (approve_hash),
    constraint email_changes_confirm_hash_key unique (confirm_hash),
    foreign key (person_id) references people(person_id),
    foreign key (site_id) references sites(site_id)
  );

  create table password_reset_requests (
    site_id uuid,
    request_id uuid default uuidv7(),
    -- As the form had it, normalized: it may belong to no person.
    address text not null,
    requested_at timestamptz(3) not null default now(),
    due_at timestamptz(3) not null default now(),
    attempts int not null default 0,
    ended_at timestamptz(3),
    failure text,
    language text,
    primary key (site_id, request_id),
    foreign key (site_id) references sites(site_id)
  );
  -- The next jobs of each site
  create index password_reset_requests_due on password_reset_requests (site_id, due_at) where ended_at is null;
  -- Dead jobs, for the command that lists and retries them, and for the metric
  create index password_reset_requests_dead on password_reset_requests (ended_at) where failure is not null;
  -- The sweep of jobs that are done
  create index password_reset_requests_done on password_reset_requests (ended_at) where failure is null;

  create table password_changes (
    site_id uuid,
    -- SHA-256 of the token of the form.
    token_hash bytea check (length(token_hash) = 32),
    -- The session that the form was shown in. It ends with the change.
    session_uid text not null,
    begun_at timestamptz(3) not null default now(),
    -- The cookies of the response, encrypted. Null until the change is made.
    sealed_response bytea,
    expires_at timestamptz(3) not null,
    primary key (site_id, token_hash),
    foreign key (site_id) references sites(site_id)
  );
`;
