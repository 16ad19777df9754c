export const learning = `
  create table enrollments (
    site_id uuid,
    id uuid default uuidv7(),
    student_id uuid not null,
    course_id uuid not null,
    state text not null default 'active' check (state in ('pending', 'active', 'expired', 'revoked')),
    source text not null check (source in ('purchase', 'manual', 'membership', 'free', 'import')),
    started_at timestamptz(3) not null default now(),
    -- null: for life
    expires_at timestamptz(3),
    completion_rate double precision not null default 0 check ((completion_rate >= (0)::double precision)
      and (completion_rate <= (1)::double precision)),
    completed_at timestamptz(3),
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    revision int not null default 1,
    -- When time alone changes the state: the clock finds what is due by it.
    changes_at timestamptz(3),
    -- When completion_rate was true; null: nothing was recorded. Older progress does not change the rate.
    progressed_at timestamptz(3),
    external_id text,
    metadata jsonb not null default '{}',
    has_begun boolean not null default false,
    primary key (site_id, id),
    -- One enrollment per student and course, ended or not: enrolling again makes it active again, progress and all.
    constraint enrollments_student_course unique (site_id, student_id, course_id),
    foreign key (site_id, student_id) references students(site_id, id),
    foreign key (site_id, course_id) references courses(site_id, id),
    -- GET /enrollments?external_id=…
    constraint enrollments_external_id unique (site_id, external_id)
  );
  -- GET /students/{id}/enrollments
  create index enrollments_by_student on enrollments (site_id, student_id, created_at, id);
  -- the clock: enrollments whose state is due to change
  create index enrollments_due on enrollments (changes_at) where changes_at is not null;
  -- GET /enrollments, and created_at[…]
  create index enrollments_by_created_at on enrollments (site_id, created_at, id);
  -- GET /enrollments?sort=updated_at, and updated_at[…]
  create index enrollments_by_updated_at on enrollments (site_id, updated_at, id);
  -- GET /enrollments?state=…
  create index enrollments_by_state on enrollments (site_id, state, created_at, id);
  -- GET /enrollments?course_id=…, and the foreign key to courses
  create index enrollments_by_course on enrollments (site_id, course_id, created_at, id);
  -- the fence of teachers: the students of a course
  create index enrollments_by_course_and_student on enrollments (site_id, course_id, student_id);
  -- analytics: enrollments of a quarter of an hour
  create index enrollments_analytics on enrollments (site_id, created_at) include (course_id, id, completed_at);
  -- GET /enrollments?source=…
  create index enrollments_by_source on enrollments (site_id, source, created_at, id);
  -- GET /enrollments?expires_at[…]
  create index enrollments_by_expires_at on enrollments (site_id, expires_at) where expires_at is not null;
  -- GET /enrollments?completed_at[…]
  create index enrollments_by_completed_at on enrollments (site_id, completed_at) where completed_at is not null;
  -- GET /enrollments?metadata[key]=…
  create index enrollments_metadata on enrollments using gin (site_id, metadata jsonb_path_ops)
    where metadata <> '{}'::jsonb;
  -- GET /enrollments?has_begun=…
  create index enrollments_by_begun on enrollments (site_id, has_begun, created_at, id);
  create trigger analytics_insert after insert on enrollments referencing new table as changed for each statement
    execute function analytics_enrollments();
  create trigger analytics_update after update on enrollments
    for each row when ((old.completed_at is distinct from new.completed_at)) execute function analytics_enrollment();
  comment on column enrollments.progressed_at is 'Unused: rates follow from lectures. A later release drops it.';

  create table access_grants (
    site_id uuid,
    id uuid default uuidv7(),
    enrollment_id uuid not null,
    source text not null check (source in ('order', 'subscription', 'membership', 'manual', 'import')),
    -- null: given by hand, or before sources had ids
    source_id uuid,
    starts_at timestamptz(3) not null,
    -- null: for life
    ends_at timestamptz(3),
    revoked_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    -- null: no plan
    plan_id uuid,
    primary key (site_id, id),
    foreign key (site_id, enrollment_id) references enrollments(site_id, id),
    foreign key (site_id, plan_id) references course_plans(site_id, id)
  );
  -- the sum of an enrollment
  create index access_grants_by_enrollment on access_grants (site_id, enrollment_id, starts_at, id);
  -- what an order, a subscription or a membership gave, once for each enrollment
  create unique index access_grants_source on access_grants (site_id, source_id, source, enrollment_id)
    where source_id is not null;
  -- the plans that DELETE /courses/{course_id}/plans/{plan_id} keeps
  create index access_grants_by_plan on access_grants (site_id, plan_id) where plan_id is not null;

  create table progress (
    site_id uuid,
    id uuid default uuidv7(),
    enrollment_id uuid not null,
    student_id uuid not null,
    course_id uuid not null,
    -- No key of another table: lectures are not kept yet.
    lecture_id uuid not null,
    lecture_title text,
    position_seconds int not null check (position_seconds >= 0),
    watched_at timestamptz(3) not null,
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    completed boolean not null default false,
    completed_at timestamptz(3),
    primary key (site_id, id),
    -- school.progress.record: one row for each lecture
    constraint progress_lecture unique (site_id, enrollment_id, lecture_id),
    foreign key (site_id, enrollment_id) references enrollments(site_id, id),
    constraint progress_completed check (completed = (completed_at is not null))
  );
  -- GET /students/{id}/progress, and watched_at[…]
  create index progress_by_student on progress (site_id, student_id, watched_at, id);
  -- GET /students/{id}/progress?course_id=…, and the last watched lecture of an enrollment
  create index progress_by_course on progress (site_id, student_id, course_id, watched_at, id);
  -- the lectures that DELETE /lectures/{id} keeps
  create index progress_by_lecture on progress (site_id, lecture_id);
  -- GET /students/{id}/progress?completed=…
  create index progress_by_completion on progress (site_id, student_id, completed, watched_at, id);
  create trigger analytics_insert after insert on progress referencing new table as changed for each statement
    execute function analytics_progress();
  -- A trigger, so that instances of the previous release write the column too.
  create trigger enrollment_begins after insert on progress for each row execute function enrollment_begins();

  create table course_reviews (
    site_id uuid,
    id uuid default uuidv7(),
    course_id uuid not null,
    student_id uuid not null,
    enrollment_id uuid not null,
    rating smallint not null check (rating between 1 and 5),
    title text,
    body text not null,
    reviewed_at timestamptz(3) not null,
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (site_id, id),
    -- school.review.post: one review for each student
    constraint course_reviews_student unique (site_id, course_id, student_id),
    foreign key (site_id, enrollment_id) references enrollments(site_id, id)
  );
  -- GET /courses/{course_id}/reviews, and created_at[…]
  create index course_reviews_created on course_reviews (site_id, course_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index course_reviews_updated on course_reviews (site_id, course_id, updated_at, id);
  -- rating=…
  create index course_reviews_rating on course_reviews (site_id, course_id, rating, created_at, id);
  -- GET /course_reviews with sort=created_at and created_at[…]
  create index course_reviews_by_created_at on course_reviews (site_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index course_reviews_by_updated_at on course_reviews (site_id, updated_at, id);
  -- rating=…
  create index course_reviews_by_rating on course_reviews (site_id, rating, created_at, id);
  -- student_id=…, and the reviews of a removed student
  create index course_reviews_by_student on course_reviews (site_id, student_id, created_at, id);
`;
