export const community = `
  create table posts (
    site_id uuid,
    id uuid default uuidv7(),
    slug text not null,
    title text not null,
    subtitle text,
    body_html text,
    excerpt text,
    cover_url text,
    access_type text not null default 'public_access' check (access_type in ('public_access', 'login_required',
      'paid')),
    state text not null default 'draft' check (state in ('draft', 'scheduled', 'published', 'archived')),
    published_at timestamptz(3),
    category_id uuid,
    -- A lecturer
    author_id uuid,
    -- null: the post is about the whole site
    course_id uuid,
    tags text[] not null default '{}',
    external_id text,
    metadata jsonb not null default '{}',
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (site_id, id),
    constraint posts_check check (state = 'draft' or published_at is not null),
    constraint posts_slug unique (site_id, slug),
    -- GET /posts?external_id=…, and the upsert
    constraint posts_external_id unique (site_id, external_id),
    foreign key (site_id, category_id) references categories(site_id, id),
    foreign key (site_id, author_id) references lecturers(site_id, id),
    foreign key (site_id, course_id) references courses(site_id, id)
  );
  -- sort=created_at and created_at[…]
  create index posts_created on posts (site_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index posts_updated on posts (site_id, updated_at, id);
  -- sort=title
  create index posts_title on posts (site_id, title, id);
  -- state=…
  create index posts_state on posts (site_id, state, created_at, id);
  -- category_id=…, and the posts that keep a category
  create index posts_category on posts (site_id, category_id, created_at, id);
  -- author_id=…, and the posts that keep a lecturer
  create index posts_author on posts (site_id, author_id, created_at, id);
  -- course_id=…, and the posts that keep a course
  create index posts_course on posts (site_id, course_id, created_at, id);
  -- q=…
  create index posts_by_text on posts using gin (site_id, (((((title || ' ') || COALESCE(subtitle,
    '')) || ' ') || slug)) gin_trgm_ops);
  -- the clock: posts of all sites that are due
  create index posts_due on posts (published_at) where state = 'scheduled';
  -- metadata[…]=…
  create index posts_metadata on posts using gin (site_id, metadata jsonb_path_ops) where metadata <> '{}'::jsonb;
  -- tag=…
  create index posts_tags on posts using gin (site_id, tags) where tags <> '{}'::text[];

  create table announcements (
    site_id uuid,
    id uuid default uuidv7(),
    title text not null,
    body text,
    purpose text not null default 'announcement' check (purpose in ('announcement', 'marketing')),
    -- null: all members of the site
    course_id uuid,
    path text,
    state text not null default 'draft' check (state in ('draft', 'scheduled', 'sent')),
    sends_at timestamptz(3),
    sent_at timestamptz(3),
    external_id text,
    metadata jsonb not null default '{}',
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    membership_plan_id uuid,
    recipients_count int,
    primary key (site_id, id),
    constraint announcements_check check (state <> 'scheduled' or sends_at is not null),
    constraint announcements_check1 check ((state = 'sent') = (sent_at is not null)),
    -- GET /announcements?external_id=…, and the upsert
    constraint announcements_external_id unique (site_id, external_id),
    foreign key (site_id, course_id) references courses(site_id, id),
    constraint announcements_audience check (course_id is null or membership_plan_id is null),
    constraint announcements_plan foreign key (site_id, membership_plan_id) references membership_plans(site_id, id),
    constraint announcements_check2 check (recipients_count is null or ((recipients_count >= 0) and (state = 'sent')))
  );
  -- sort=created_at and created_at[…]
  create index announcements_created on announcements (site_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index announcements_updated on announcements (site_id, updated_at, id);
  -- state=…
  create index announcements_state on announcements (site_id, state, created_at, id);
  -- purpose=…
  create index announcements_purpose on announcements (site_id, purpose, created_at, id);
  -- course_id=…, and the announcements that keep a course
  create index announcements_course on announcements (site_id, course_id, created_at, id);
  -- the clock: announcements of all sites that are due
  create index announcements_due on announcements (sends_at) where state = 'scheduled';
  -- the check of the foreign key when a plan is deleted
  create index announcements_membership_plan on announcements (site_id, membership_plan_id)
    where membership_plan_id is not null;
  -- metadata[…]=…
  create index announcements_metadata on announcements using gin (site_id, metadata jsonb_path_ops)
    where metadata <> '{}'::jsonb;

  create table comments (
    site_id uuid,
    id uuid default uuidv7(),
    commentable_type text not null check (commentable_type in ('course', 'lecture', 'post')),
    commentable_id uuid not null,
    -- The course itself, or that of the lecture
    course_id uuid,
    -- null: no reply
    parent_id uuid,
    student_id uuid not null,
    body text not null,
    state text not null check (state in ('pending', 'visible', 'hidden')),
    -- Counted in the transactions that add and delete replies
    replies_count int not null default 0 check (replies_count >= 0),
    posted_at timestamptz(3) not null,
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (site_id, id),
    constraint comments_check check (parent_id is null or replies_count = 0),
    foreign key (site_id, course_id) references courses(site_id, id),
    foreign key (site_id, student_id) references students(site_id, id),
    foreign key (site_id, parent_id) references comments(site_id, id),
    constraint comments_course_check check ((commentable_type = 'post') = (course_id is null))
  );
  -- sort=created_at and created_at[…]
  create index comments_created on comments (site_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index comments_updated on comments (site_id, updated_at, id);
  -- state=…
  create index comments_state on comments (site_id, state, created_at, id);
  -- commentable_id=…, and the deletion of a lecture
  create index comments_commentable on comments (site_id, commentable_id, created_at, id);
  -- course_id=…, and the deletion of a course
  create index comments_course on comments (site_id, course_id, created_at, id);
  -- student_id=…, and the link and the erasure of a student
  create index comments_student on comments (site_id, student_id, created_at, id);
  -- GET /comments/{comment_id}/replies, and the deletion of a comment
  create index comments_replies on comments (site_id, parent_id, created_at, id) where parent_id is not null;

  create table forms (
    site_id uuid,
    id uuid default uuidv7(),
    slug text not null,
    external_id text,
    title text not null,
    fields jsonb not null,
    -- Counted in the transactions of the submissions
    submissions_count int not null default 0 check (submissions_count >= 0),
    active boolean not null,
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (site_id, id),
    -- slug=…, and the commands of storefronts
    constraint forms_slug unique (site_id, slug),
    -- external_id=…, and the commands of storefronts
    constraint forms_external_id unique (site_id, external_id)
  );
  -- sort=created_at and created_at[…]
  create index forms_created on forms (site_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index forms_updated on forms (site_id, updated_at, id);
  -- active=…
  create index forms_active on forms (site_id, active, created_at, id);

  create table form_submissions (
    site_id uuid,
    id uuid default uuidv7(),
    form_id uuid not null,
    -- null: an anonymous visitor
    student_id uuid,
    -- By the keys of fields; empty after an erasure
    answers jsonb not null,
    submitted_at timestamptz(3) not null,
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (site_id, id),
    foreign key (site_id, form_id) references forms(site_id, id),
    foreign key (site_id, student_id) references students(site_id, id)
  );
  -- GET /forms/{form_id}/submissions, and created_at[…]
  create index form_submissions_created on form_submissions (site_id, form_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index form_submissions_updated on form_submissions (site_id, form_id, updated_at, id);
  -- student_id=…
  create index form_submissions_student on form_submissions (site_id, form_id, student_id, created_at, id);
  -- an export
  create index form_submissions_form on form_submissions (site_id, form_id, id);
  -- the erasure of a student
  create index form_submissions_of_student on form_submissions (site_id, student_id) where student_id is not null;
`;
