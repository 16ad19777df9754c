export const courses = `
  create table courses (
    site_id uuid,
    id uuid default uuidv7(),
    slug text not null,
    name text not null,
    subtitle text,
    description_html text,
    image_url text,
    course_type text not null default 'paid' check (course_type in ('paid', 'public_access', 'free_redeem',
      'pre_order')),
    state text not null default 'draft' check (state in ('draft', 'published', 'unpublished', 'archived')),
    featured boolean not null default false,
    hidden boolean not null default false,
    tags text[] not null default '{}',
    seo_title text,
    seo_description text,
    published_at timestamptz(3),
    -- Live enrollments. Kept by the statement that makes or ends one, so that no reader counts.
    enrollments_count int not null default 0 check (enrollments_count >= 0),
    version int not null default 1,
    -- Milliseconds: what a JavaScript date holds, so that a cursor names exactly the row it came from.
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    external_id text,
    metadata jsonb not null default '{}',
    curriculum_version int not null default 0,
    curriculum_updated_at timestamptz(3),
    duration_seconds int not null default 0,
    reviews_count int not null default 0,
    rating_total int not null default 0,
    -- null: no reviews
    rating_average double precision check ((rating_average >= (1)::double precision)
      and (rating_average <= (5)::double precision)),
    primary key (site_id, id),
    -- get_course, and the refusal of a second course of the same slug
    constraint courses_slug unique (site_id, slug),
    constraint courses_external_id unique (site_id, external_id)
  );
  -- GET /courses?sort=created_at and -created_at, and created_at[…]
  create index courses_by_created_at on courses (site_id, created_at, id);
  -- GET /courses?sort=name and -name
  create index courses_by_name on courses (site_id, name, id);
  -- GET /courses?state=…&sort=-created_at
  create index courses_by_state on courses (site_id, state, created_at, id);
  -- search_catalog
  create index courses_catalogue on courses (site_id, name, id) where state = 'published' and (not hidden);
  -- GET /courses?q=… and search_catalog with q
  create index courses_by_text on courses using gin (site_id, (((((name || ' ') || COALESCE(subtitle,
    '')) || ' ') || slug)) gin_trgm_ops);
  -- GET /courses?sort=updated_at, and updated_at[…]
  create index courses_by_updated_at on courses (site_id, updated_at, id);
  -- metadata[…]=…
  create index courses_metadata on courses using gin (site_id, metadata jsonb_path_ops) where metadata <> '{}'::jsonb;
  -- tag=…
  create index courses_tags on courses using gin (site_id, tags) where tags <> '{}'::text[];
  -- GET /courses?course_type=…
  create index courses_by_type on courses (site_id, course_type, created_at, id);
  -- GET /courses?featured=…
  create index courses_by_featured on courses (site_id, featured, created_at, id);
  -- GET /courses?hidden=…
  create index courses_by_hidden on courses (site_id, hidden, created_at, id);
  -- GET /courses?published_at[…]
  create index courses_by_published_at on courses (site_id, published_at) where published_at is not null;

  create table course_lecturers (
    site_id uuid,
    course_id uuid,
    lecturer_id uuid,
    -- In the order in which the course names them
    position int not null,
    primary key (site_id, course_id, lecturer_id),
    foreign key (site_id, course_id) references courses(site_id, id) on delete cascade,
    foreign key (site_id, lecturer_id) references lecturers(site_id, id)
  );
  -- the fence of teachers: the courses of a lecturer
  create index course_lecturers_by_lecturer on course_lecturers (site_id, lecturer_id, course_id);

  create table categories (
    site_id uuid,
    id uuid default uuidv7(),
    slug text not null,
    name text not null,
    description text,
    position int not null default 0 check ("position" >= 0),
    external_id text,
    metadata jsonb not null default '{}',
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (site_id, id),
    constraint categories_slug unique (site_id, slug),
    -- GET /categories?external_id=…, and the upsert
    constraint categories_external_id unique (site_id, external_id)
  );
  -- sort=position
  create index categories_position on categories (site_id, "position", id);
  -- sort=name
  create index categories_name on categories (site_id, name, id);
  -- sort=created_at and created_at[…]
  create index categories_created on categories (site_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index categories_updated on categories (site_id, updated_at, id);
  -- metadata[…]=…
  create index categories_metadata on categories using gin (site_id, metadata jsonb_path_ops)
    where metadata <> '{}'::jsonb;
  -- GET /categories?q=…
  create index categories_by_text on categories using gin (site_id, (((name || ' ') || slug)) gin_trgm_ops);

  create table course_categories (
    site_id uuid,
    course_id uuid,
    category_id uuid,
    -- In the order in which the course names them
    position int not null,
    primary key (site_id, course_id, category_id),
    foreign key (site_id, course_id) references courses(site_id, id) on delete cascade,
    foreign key (site_id, category_id) references categories(site_id, id)
  );
  -- GET /courses?category_id=…, and the courses that keep a category
  create index course_categories_by_category on course_categories (site_id, category_id, course_id);

  create table sections (
    site_id uuid,
    id uuid default uuidv7(),
    course_id uuid not null,
    title text not null,
    position int not null,
    drip_days int not null default 0 check (drip_days >= 0),
    external_id text,
    metadata jsonb not null default '{}',
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    opens_at timestamptz(3),
    primary key (site_id, id),
    foreign key (site_id, course_id) references courses(site_id, id) on delete cascade
  );
  -- the curriculum of a course, and course_id of lists
  create index sections_position on sections (site_id, course_id, "position", id);
  -- sort=created_at and created_at[…]
  create index sections_created on sections (site_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index sections_updated on sections (site_id, updated_at, id);
  -- PUT /sections/by_external_id/{external_id}
  create unique index sections_external_id on sections (site_id, external_id);
  -- metadata[…]=…
  create index sections_metadata on sections using gin (site_id, metadata jsonb_path_ops) where metadata <> '{}'::jsonb;
  -- GET /sections?sort=position
  create index sections_by_position on sections (site_id, "position", id);
  -- GET /sections?q=…
  create index sections_by_text on sections using gin (site_id, title gin_trgm_ops);

  create table lectures (
    site_id uuid,
    id uuid default uuidv7(),
    course_id uuid not null,
    section_id uuid not null,
    slug text not null,
    title text not null,
    position int not null,
    lecture_type text not null check (lecture_type in ('video', 'audio', 'text', 'pdf', 'quiz', 'live', 'download')),
    state text not null default 'draft' check (state in ('draft', 'published')),
    free_preview boolean not null default false,
    duration_seconds int not null default 0 check (duration_seconds >= 0),
    content_html text,
    attachments jsonb not null default '[]',
    external_id text,
    metadata jsonb not null default '{}',
    published_at timestamptz(3),
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (site_id, id),
    foreign key (site_id, course_id) references courses(site_id, id) on delete cascade,
    foreign key (site_id, section_id) references sections(site_id, id) on delete cascade
  );
  -- the curriculum of a course, and section_id of lists
  create index lectures_position on lectures (site_id, section_id, "position", id);
  -- the address of a lecture, and course_id of lists
  create unique index lectures_slug on lectures (site_id, course_id, slug);
  -- sort=created_at and created_at[…]
  create index lectures_created on lectures (site_id, created_at, id);
  -- state=… with sort=created_at
  create index lectures_state on lectures (site_id, state, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index lectures_updated on lectures (site_id, updated_at, id);
  -- PUT /lectures/by_external_id/{external_id}
  create unique index lectures_external_id on lectures (site_id, external_id);
  -- metadata[…]=…
  create index lectures_metadata on lectures using gin (site_id, metadata jsonb_path_ops) where metadata <> '{}'::jsonb;
  -- GET /lectures?sort=position
  create index lectures_by_position on lectures (site_id, "position", id);
  -- GET /lectures?slug=…
  create index lectures_by_slug on lectures (site_id, slug);
  -- GET /lectures?q=…
  create index lectures_by_text on lectures using gin (site_id, (((title || ' ') || slug)) gin_trgm_ops);

  create table course_plans (
    site_id uuid,
    id uuid default uuidv7(),
    course_id uuid not null,
    name text not null,
    plan_type text not null check (plan_type in ('free', 'one_time_purchase', 'subscription', 'pre_order', 'group_buy',
      'fixed_date', 'specific_length')),
    -- null: free
    price_amount_minor bigint check (price_amount_minor between 1 and 9007199254740991),
    price_currency text check (price_currency ~ '^[A-Z]{3}$'),
    interval text check ("interval" = any (array['month', 'year'])),
    interval_count int check (interval_count > 0),
    access_days int check (access_days > 0),
    access_ends_at timestamptz(3),
    active boolean not null default true,
    external_id text,
    metadata jsonb not null default '{}',
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    position int not null default 0 check ("position" >= 0),
    primary key (site_id, id),
    constraint course_plans_check check ((price_amount_minor is null) = (price_currency is null)),
    -- GET /courses/{course_id}/plans?external_id=…, and the upsert
    constraint course_plans_external_id unique (site_id, external_id),
    foreign key (site_id, course_id) references courses(site_id, id) on delete cascade
  );
  -- the plans of a course, sort=created_at and created_at[…]
  create index course_plans_created on course_plans (site_id, course_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index course_plans_updated on course_plans (site_id, course_id, updated_at, id);
  -- metadata[…]=…
  create index course_plans_metadata on course_plans using gin (site_id, metadata jsonb_path_ops)
    where metadata <> '{}'::jsonb;
  -- GET /courses/{course_id}/plans?sort=position
  create index course_plans_position on course_plans (site_id, course_id, "position", id);
  -- GET /courses/{course_id}/plans?sort=name
  create index course_plans_name on course_plans (site_id, course_id, name, id);
  -- GET /courses/{course_id}/plans?active=…
  create index course_plans_active on course_plans (site_id, course_id, active, created_at, id);
  -- GET /course_plans with sort=created_at and created_at[…]
  create index course_plans_by_created_at on course_plans (site_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index course_plans_by_updated_at on course_plans (site_id, updated_at, id);
  -- sort=position
  create index course_plans_by_position on course_plans (site_id, "position", id);
  -- sort=name
  create index course_plans_by_name on course_plans (site_id, name, id);
  -- active=…
  create index course_plans_by_active on course_plans (site_id, active, created_at, id);
`;
