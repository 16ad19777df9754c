export const site = `
  create table appearances (
    site_id uuid primary key,
    -- 0: nothing was ever set
    version int not null default 0,
    settings jsonb not null default '{}',
    updated_at timestamptz(3)
  );

  create table appearance_revisions (
    site_id uuid,
    id uuid default uuidv7(),
    -- of the appearance that it made: a site has one for each, and only the last ones
    version int not null,
    settings jsonb not null,
    person_id uuid not null,
    client_id text not null,
    -- perhaps forgotten since
    restored_from uuid,
    -- Not now(): who waited for the row began before the one who had it.
    created_at timestamptz(3) not null default clock_timestamp(),
    member_id uuid,
    primary key (site_id, id)
  );

  create table pages (
    site_id uuid,
    id uuid default uuidv7(),
    slug text not null,
    title text not null,
    page_type text not null default 'static_page' check (page_type = 'static_page'),
    state text not null default 'draft' check (state in ('draft', 'published', 'unpublished')),
    live_deployment_id uuid,
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    previous_deployment_id uuid,
    external_id text,
    metadata jsonb not null default '{}',
    primary key (site_id, id),
    -- get_page, and the refusal of a second page of the same slug
    constraint pages_slug unique (site_id, slug),
    -- GET /pages?external_id=…, and the upsert
    constraint pages_external_id unique (site_id, external_id)
  );
  -- GET /pages, sorted by created_at and by slug
  create index pages_by_created_at on pages (site_id, created_at, id);
  -- GET /pages?state=…
  create index pages_by_state on pages (site_id, state, created_at, id);
  -- GET /pages?sort=updated_at, and updated_at[…]
  create index pages_by_updated_at on pages (site_id, updated_at, id);
  -- metadata[…]=…
  create index pages_metadata on pages using gin (site_id, metadata jsonb_path_ops) where metadata <> '{}'::jsonb;

  create table page_deployments (
    site_id uuid,
    id uuid default uuidv7(),
    page_id uuid not null,
    state text not null check (state in ('queued', 'ready', 'live', 'superseded', 'failed')),
    -- The text of its index.html: cleaned, as descriptions are
    content_html text,
    bytes int not null check (bytes >= 0),
    files_count int not null,
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    created_by uuid,
    file_id uuid,
    -- content_html is the beginning of the text
    content_cut boolean not null default false,
    faults jsonb not null default '[]',
    due_at timestamptz(3) not null default now(),
    attempts int not null default 0,
    -- Rows from before, and rows of the version before during its update, have no job.
    ended_at timestamptz(3) default now(),
    failure text,
    primary key (site_id, id),
    -- a page's deployment is one of its own
    constraint page_deployments_page unique (site_id, page_id, id),
    foreign key (site_id, page_id) references pages(site_id, id) on delete cascade,
    constraint page_deployments_files_count_check check (files_count >= 0 and ((files_count = 0) = (state in ('queued',
      'failed')))),
    constraint page_deployments_faults check ((faults <> '[]'::jsonb) = (state = 'failed'))
  );
  -- the deployments of a page, sort=created_at and created_at[…]
  create index page_deployments_created on page_deployments (site_id, page_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index page_deployments_updated on page_deployments (site_id, page_id, updated_at, id);
  -- the claim of due jobs
  create index page_deployments_due on page_deployments (site_id, due_at) where ended_at is null;
  -- dead-jobs
  create index page_deployments_dead on page_deployments (ended_at) where failure is not null;

  create table page_files (
    site_id uuid,
    deployment_id uuid,
    -- Below the address of the page
    path text,
    content_type text not null,
    -- Hexadecimal: the entity tag
    sha256 text not null,
    content bytea storage external not null,
    primary key (site_id, deployment_id, path),
    foreign key (site_id, deployment_id) references page_deployments(site_id, id) on delete cascade
  );
`;
