export const school = `
  create table schools (
    site_id uuid primary key,
    name text,
    locale text,
    -- IANA name
    timezone text,
    -- ISO 4217: of new prices
    currency text check (currency ~ '^[A-Z]{3}$'),
    contact_email text,
    support_url text,
    terms_url text,
    privacy_url text,
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    legal_name text,
    url_templates jsonb not null default '{}',
    -- null: never switched
    mcp_connections boolean,
    -- Days of access after a period that was not renewed
    subscription_grace_days int not null default 7 check (subscription_grace_days between 0 and 60),
    member_fields jsonb not null default '[]'
  );

  create table members (
    site_id uuid,
    -- sub of the tokens of the member
    id uuid,
    -- null: the member was removed
    person_id uuid,
    email text,
    name text not null,
    phone_number text,
    avatar_url text,
    locale text,
    state text not null check (state in ('invited', 'active', 'suspended', 'removed')),
    roles text[] not null,
    joined_at timestamptz(3) not null,
    external_id text,
    metadata jsonb not null default '{}',
    custom_fields jsonb not null default '{}',
    -- Position in the events of identity
    source_epoch bigint not null,
    source_version int not null,
    version int not null default 1,
    revision int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    tags text[] not null default '{}',
    primary key (site_id, id),
    constraint members_person unique (site_id, person_id),
    -- GET /members?external_id=…
    constraint members_external_id unique (site_id, external_id)
  );
  -- GET /members?email=…, and the person of a new student or lecturer
  create index members_by_email on members (site_id, email);
  -- GET /members?state=…
  create index members_by_state on members (site_id, state, created_at, id);
  -- GET /members?role=…
  create index members_by_role on members using gin (site_id, roles);
  -- sort=created_at and created_at[…]
  create index members_created on members (site_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index members_updated on members (site_id, updated_at, id);
  -- sort=name
  create index members_name on members (site_id, name, id);
  -- q
  create index members_by_text on members using gin (site_id, (((name || ' ') || COALESCE(email, ''))) gin_trgm_ops);
  -- metadata[…]=…
  create index members_metadata on members using gin (site_id, metadata jsonb_path_ops) where metadata <> '{}'::jsonb;
  -- GET /members?tag=…
  create index members_tags on members using gin (site_id, tags) where tags <> '{}'::text[];
  -- GET /members with sort=joined_at and joined_at[…]
  create index members_by_joined_at on members (site_id, joined_at, id);

  create table students (
    site_id uuid,
    id uuid default uuidv7(),
    -- Known once auth has found or made the person of the e-mail.
    person_id uuid,
    email text not null,
    name text not null,
    phone_number text,
    avatar_url text,
    locale text,
    state text not null default 'active' check (state in ('active', 'removed')),
    tags text[] not null default '{}',
    external_id text,
    enrollments_count int not null default 0 check (enrollments_count >= 0),
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    revision int not null default 1,
    member_id uuid,
    metadata jsonb not null default '{}',
    primary key (site_id, id),
    -- POST /students (idempotent by e-mail), enroll_student, linking to a person
    constraint students_email unique (site_id, email)
  );
  -- identity.role.*: the student of a person
  create unique index students_person on students (site_id, person_id) where person_id is not null;
  -- the refusal of a second student of the same external_id
  create unique index students_external_id on students (site_id, external_id) where external_id is not null;
  -- GET /students?sort=created_at and -created_at, and created_at[…]
  create index students_by_created_at on students (site_id, created_at, id);
  -- GET /students?sort=name and -name
  create index students_by_name on students (site_id, name, id);
  -- GET /students?state=…&sort=-created_at
  create index students_by_state on students (site_id, state, created_at, id);
  -- GET /students?q=…
  create index students_by_text on students using gin (site_id, (((name || ' ') || email)) gin_trgm_ops);
  -- GET /students?sort=updated_at, and updated_at[…]
  create index students_by_updated_at on students (site_id, updated_at, id);
  -- the student of a member
  create index students_by_member on students (site_id, member_id) where member_id is not null;
  -- metadata[…]=…
  create index students_metadata on students using gin (site_id, metadata jsonb_path_ops) where metadata <> '{}'::jsonb;
  -- tag=…
  create index students_tags on students using gin (site_id, tags) where tags <> '{}'::text[];

  create table lecturers (
    site_id uuid,
    id uuid default uuidv7(),
    slug text not null,
    name text not null,
    -- What they are, in a few words
    title text,
    bio_html text,
    avatar_url text,
    -- For operators
    email text,
    -- Whose account it is, when they have one
    person_id uuid,
    -- [{ network, url }]
    social_links jsonb not null default '[]',
    position int not null default 0,
    visible boolean not null default false,
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    member_id uuid,
    external_id text,
    metadata jsonb not null default '{}',
    follows_email boolean not null default true,
    primary key (site_id, id),
    -- the refusal of a second lecturer of the same slug
    constraint lecturers_slug unique (site_id, slug),
    constraint lecturers_external_id unique (site_id, external_id)
  );
  -- list_lecturers
  create index lecturers_visible on lecturers (site_id, name, id) where visible;
  -- GET /lecturers, sorted by created_at and by name
  create index lecturers_by_created_at on lecturers (site_id, created_at, id);
  -- sort=name
  create index lecturers_by_name on lecturers (site_id, name, id);
  -- GET /lecturers?visible=…
  create index lecturers_by_visible on lecturers (site_id, visible, created_at, id);
  -- GET /lecturers?sort=updated_at, and updated_at[…]
  create index lecturers_by_updated_at on lecturers (site_id, updated_at, id);
  -- the fence of teachers: the lecturer of a member. A membership is of one site.
  create index lecturers_by_member on lecturers (member_id);
  -- finds the lecturer with the address of a member
  create index lecturers_by_email on lecturers (site_id, email);
  -- metadata[…]=…
  create index lecturers_metadata on lecturers using gin (site_id, metadata jsonb_path_ops)
    where metadata <> '{}'::jsonb;
  -- GET /lecturers?sort=position
  create index lecturers_by_position on lecturers (site_id, "position", id);

  create table teachers_of_deleted_courses (
    site_id uuid,
    member_id uuid,
    course_id uuid,
    deleted_at timestamptz(3) not null default now(),
    primary key (site_id, member_id, course_id)
  );
  -- rows of all sites whose changes cannot be read any more
  create index teachers_of_deleted_courses_age on teachers_of_deleted_courses (deleted_at);
`;
