export const files = `
  create table files (
    site_id uuid,
    id uuid default uuidv7(),
    -- The member who uploads the file
    uploader_id uuid not null,
    purpose text not null,
    filename text not null,
    content_type text not null,
    bytes int not null check (bytes > 0),
    sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
    state text not null default 'pending' check (state in ('pending', 'uploaded', 'ready', 'rejected')),
    rejection text,
    -- End of the upload link
    expires_at timestamptz(3) not null,
    -- The file is deleted then
    sweep_at timestamptz(3),
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    uses int not null default 0,
    checked_until timestamptz(3),
    primary key (site_id, id),
    constraint files_check check ((rejection is not null) = (state = 'rejected')),
    constraint files_uses check (uses >= 0 and ((uses = 0) = (sweep_at is not null))),
    constraint files_used check (uses = 0 or state = 'ready')
  );
  -- the sweep of files that are not used
  create index files_sweep on files (site_id, sweep_at);
  -- the checks of large files
  create index files_uploaded on files (site_id, id) where state = 'uploaded';

  create table file_usage (
    site_id uuid primary key,
    -- Of all rows of the site in files
    bytes bigint not null check (bytes >= 0),
    -- Rows of the site in the states pending and uploaded
    open_uploads int not null check (open_uploads >= 0)
  );
`;
