export const transfers = `
  create table file_uses (
    site_id uuid,
    id uuid default uuidv7(),
    file_id uuid not null,
    -- One column for each kind of row that uses files
    lecture_id uuid,
    appearance_revision_id uuid,
    course_id uuid,
    lecturer_id uuid,
    digital_product_id uuid,
    post_id uuid,
    member_id uuid,
    primary key (site_id, id),
    foreign key (site_id, file_id) references files(site_id, id),
    foreign key (site_id, lecture_id) references lectures(site_id, id) on delete cascade,
    foreign key (site_id, appearance_revision_id) references appearance_revisions(site_id, id) on delete cascade,
    foreign key (site_id, course_id) references courses(site_id, id) on delete cascade,
    foreign key (site_id, lecturer_id) references lecturers(site_id, id) on delete cascade,
    foreign key (site_id, digital_product_id) references digital_products(site_id, id) on delete cascade,
    foreign key (site_id, post_id) references posts(site_id, id) on delete cascade,
    foreign key (site_id, member_id) references members(site_id, id) on delete cascade,
    constraint file_uses_check check (num_nonnulls(lecture_id, appearance_revision_id, course_id, lecturer_id,
      digital_product_id, post_id, member_id) = 1)
  );
  -- finds the uses of a deleted file
  create index file_uses_file on file_uses (site_id, file_id);
  -- the files of a lecture
  create unique index file_uses_lecture on file_uses (site_id, lecture_id, file_id) where lecture_id is not null;
  -- the files of a revision
  create unique index file_uses_revision on file_uses (site_id, appearance_revision_id, file_id)
    where appearance_revision_id is not null;
  -- the picture of a course
  create unique index file_uses_course on file_uses (site_id, course_id, file_id) where course_id is not null;
  -- the picture of a lecturer
  create unique index file_uses_lecturer on file_uses (site_id, lecturer_id, file_id) where lecturer_id is not null;
  -- the files of a digital product
  create unique index file_uses_digital_product on file_uses (site_id, digital_product_id, file_id)
    where digital_product_id is not null;
  -- the cover of a post
  create unique index file_uses_post on file_uses (site_id, post_id, file_id) where post_id is not null;
  -- the picture of a member
  create unique index file_uses_member on file_uses (site_id, member_id, file_id) where member_id is not null;
  create trigger file_uses_count after insert or delete on file_uses for each row execute function count_file_use();

  create table exports (
    site_id uuid,
    id uuid default uuidv7(),
    -- The member who asked for it
    created_by uuid not null,
    collection text not null check (collection in ('students', 'enrollments', 'progress', 'orders', 'form_submissions',
      'members', 'activity', 'analytics_revenue', 'analytics_funnel', 'analytics_memberships', 'analytics_cohorts',
      'analytics_attendance')),
    format text not null check (format in ('csv', 'jsonl')),
    filters jsonb not null,
    state text not null default 'queued' check (state in ('queued', 'running', 'ready', 'failed', 'canceled')),
    error text,
    rows_count int not null default 0,
    bytes int not null default 0,
    -- The file has rows beyond the fence of teachers
    whole boolean not null default false,
    -- The export and its file are deleted then
    expires_at timestamptz(3) not null,
    file_key text,
    -- Where the last part ended
    cursor text,
    all_read boolean not null default false,
    -- Keys of the parts in the store, in the order of the file
    parts text[] not null default '{}',
    due_at timestamptz(3) not null default now(),
    attempts int not null default 0,
    ended_at timestamptz(3),
    failure text,
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    -- Columns of a CSV file that depend on the time of the request. Null for the columns of the collection.
    columns text[],
    primary key (site_id, id),
    constraint exports_check check ((error is not null) = (state = 'failed')),
    constraint exports_check1 check ((file_key is not null) = (state = 'ready'))
  );
  -- GET /exports, sort=created_at and created_at[…]
  create index exports_created on exports (site_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index exports_updated on exports (site_id, updated_at, id);
  -- dead-jobs
  create index exports_dead on exports (ended_at) where failure is not null;
  -- the sweep of old exports
  create index exports_expired on exports (site_id, expires_at);
  -- the claim of due jobs
  create index exports_due on exports (site_id, due_at) where ended_at is null;

  create table imports (
    site_id uuid,
    id uuid default uuidv7(),
    -- The member who asked for it
    created_by uuid not null,
    -- Client and surface of the request
    client_id text,
    via text not null,
    collection text not null check (collection in ('students', 'categories', 'lecturers', 'enrollments', 'courses')),
    format text not null check (format in ('csv', 'jsonl')),
    upload_id uuid not null,
    mode text not null check (mode in ('create_only', 'upsert_by_email', 'upsert_by_external_id', 'upsert_by_slug',
      'update_by_email', 'update_by_external_id', 'update_by_slug', 'upsert_by_student_and_course',
      'update_by_student_and_course')),
    course_id uuid,
    plan_id uuid,
    send_welcome_email boolean not null,
    state text not null default 'queued' check (state in ('queued', 'checking', 'previewed', 'invalid', 'running',
      'completed', 'failed', 'canceled')),
    error text,
    rows_total int not null default 0,
    -- Expected rows by outcome
    preview jsonb,
    rows_created int not null default 0,
    rows_updated int not null default 0,
    rows_skipped int not null default 0,
    rows_failed int not null default 0,
    faults_count int not null default 0,
    -- The first ones
    faults jsonb not null default '[]',
    -- The import and its files are deleted then
    expires_at timestamptz(3) not null,
    report_key text,
    -- Keys of the parts with the valid rows in the store, in the order of the file, and how many of them are written
    parts text[] not null default '{}',
    parts_done int not null default 0,
    due_at timestamptz(3) not null default now(),
    attempts int not null default 0,
    ended_at timestamptz(3),
    failure text,
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    encoding text not null default 'utf-8' check (encoding in ('utf-8', 'big5')),
    mapping jsonb not null default '{}',
    primary key (site_id, id),
    constraint imports_check check (plan_id is null or course_id is not null),
    constraint imports_check1 check ((error is not null) = (state = 'failed'))
  );
  -- GET /imports, sort=created_at and created_at[…]
  create index imports_created on imports (site_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index imports_updated on imports (site_id, updated_at, id);
  -- the claim of due jobs
  create index imports_due on imports (site_id, due_at) where ended_at is null;
  -- dead-jobs
  create index imports_dead on imports (ended_at) where failure is not null;
  -- the sweep of old imports
  create index imports_expired on imports (site_id, expires_at);
`;
