export const operations = `
  create table mails (
    site_id uuid,
    mail_id uuid default uuidv7(),
    person_id uuid,
    kind text not null check (kind in ('welcome', 'password_reset', 'password_changed', 'passkey_added',
      'passkey_removed', 'webhook_gone', 'webhook_failing', 'sign_up', 'sign_up_known', 'sign_in_link',
      'email_change_approval', 'email_change_confirmation', 'email_changed')),
    -- Names of the passkeys that the text lists.
    passkeys text[] not null default '{}',
    -- The link of the mail in invitations.
    token_hash bytea,
    -- AES-256-GCM under KEY_ENCRYPTION_KEY: nonce (12) | tag (16) | ciphertext; site and digest are the additional data.
    sealed_token bytea,
    due_at timestamptz(3) not null default now(),
    attempts int not null default 0,
    ended_at timestamptz(3),
    failure text,
    -- The address that a webhook mail names, without its query.
    url text,
    -- The recipient, if it is not the address of a person.
    address text,
    language text,
    primary key (site_id, mail_id),
    constraint mails_check check ((token_hash is null) = (sealed_token is null)),
    foreign key (site_id) references sites(site_id),
    foreign key (person_id) references people(person_id),
    constraint mails_recipient_check check (person_id is not null or address is not null)
  );
  -- The next jobs of each site
  create index mails_due on mails (site_id, due_at) where ended_at is null;
  -- Dead jobs, for the command that lists and retries them, and for the metric
  create index mails_dead on mails (ended_at) where failure is not null;
  -- The sweep of jobs that are done
  create index mails_done on mails (ended_at) where failure is null;
  -- The erasure of a person.
  create index mails_of_person on mails (person_id);

  create table form_submissions (
    site_id uuid,
    -- The session that the form was shown in.
    session_uid text,
    -- SHA-256 of the token of the form.
    token_hash bytea check (length(token_hash) = 32),
    client_id text not null,
    -- The secret of the application, encrypted, until its page has shown it. Null for a public one.
    sealed_secret bytea,
    shown_at timestamptz(3),
    expires_at timestamptz(3) not null,
    primary key (site_id, session_uid, token_hash),
    foreign key (site_id) references sites(site_id)
  );

  create table audit_log (
    audit_id uuid default uuidv7() primary key,
    occurred_at timestamptz(3) not null default now(),
    event text not null,
    site_id uuid,
    person_id uuid,
    client_id text,
    details jsonb not null default '{}'
  ) partition by range (audit_id);
  -- Serves the audit view of a site, newest first.
  create index audit_log_of_site on audit_log (site_id, audit_id desc);
  -- Serves the audit log of one person.
  create index audit_log_of_person on audit_log (site_id, person_id, audit_id desc) where person_id is not null;
  -- Serves the audit log of one application.
  create index audit_log_of_client on audit_log (site_id, client_id, audit_id desc) where client_id is not null;
  -- Serves the audit log of one event.
  create index audit_log_of_event on audit_log (site_id, event, audit_id desc);
  create trigger append_only before truncate on audit_log for each statement
    execute function audit_log_is_append_only();
  create trigger audit_log_rows_stay before delete or update on audit_log for each row
    execute function audit_log_is_append_only();

  -- Rows of a month without a partition. Housekeeping turns it into the partition of its months.
  create table audit_log_default partition of audit_log default;
  create trigger append_only before truncate on audit_log_default for each statement
    execute function audit_log_is_append_only();

  -- This month with all before, and the next twelve (UTC). A UUIDv7 begins with its time (RFC 9562 §5.7).
  do $$
  declare
    first timestamp := date_trunc('month', now() at time zone 'UTC');
    part record;
  begin
    for part in
      select 'audit_log_' || to_char(month, 'YYYY_MM') as name, month = first as is_first, array(
        select (lpad(to_hex((extract(epoch from edge) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
        from unnest(array[month, month + interval '1 month']) edge) as bounds
      from generate_series(first, first + interval '12 months', interval '1 month') month
    loop
      execute format('create table %I partition of audit_log for values from (%s) to (%L)', part.name,
        case when part.is_first then 'minvalue' else quote_literal(part.bounds[1]) end, part.bounds[2]);
      execute format('create trigger append_only before truncate on %I for each statement
        execute function audit_log_is_append_only()', part.name);
      if part.is_first then
        execute format('alter index %I rename to %I', part.name || '_site_id_audit_id_idx', part.name || '_of_site');
      end if;
    end loop;
  end $$;
`;
