import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Courses, students and enrolments. `site_id` leads every key: a row can only be found by who knows its site, and a
 * foreign key cannot join two sites.
 */
export class School1763683200000 implements MigrationInterface {
  name = 'School1763683200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Both are trusted extensions: the owner of a database may create them.
      create extension if not exists pg_trgm;
      create extension if not exists btree_gin;

      create table courses (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        slug text not null,
        name text not null,
        subtitle text,
        description_html text,
        image_url text,
        course_type text not null default 'paid'
          check (course_type in ('paid', 'public_access', 'free_redeem', 'pre_order')),
        state text not null default 'draft' check (state in ('draft', 'published', 'unpublished', 'archived')),
        featured boolean not null default false,
        hidden boolean not null default false,
        tags text[] not null default '{}',
        seo_title text,
        seo_description text,
        published_at timestamptz(3),
        -- Live enrolments. Kept by the statement that makes or ends one, so that no reader counts.
        enrollments_count int not null default 0 check (enrollments_count >= 0),
        version int not null default 1,
        -- Milliseconds: what a JavaScript date holds, so that a cursor names exactly the row it came from.
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        -- get_course, and the refusal of a second course of the same slug
        constraint courses_slug unique (site_id, slug)
      );
      -- GET /courses?sort=created_at and -created_at, and created_at[…]
      create index courses_by_created_at on courses (site_id, created_at, id);
      -- GET /courses?sort=name and -name
      create index courses_by_name on courses (site_id, name, id);
      -- GET /courses?state=…&sort=-created_at
      create index courses_by_state on courses (site_id, state, created_at, id);
      -- search_catalog
      create index courses_catalogue on courses (site_id, name, id) where state = 'published' and not hidden;
      -- GET /courses?q=… and search_catalog with q
      create index courses_by_text on courses using gin (site_id, (name || ' ' || slug) gin_trgm_ops);

      create table students (
        site_id uuid not null,
        id uuid not null default uuidv7(),
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
      create index students_by_text on students using gin (site_id, (name || ' ' || email) gin_trgm_ops);

      create table enrollments (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        student_id uuid not null,
        course_id uuid not null,
        state text not null default 'active' check (state in ('pending', 'active', 'expired', 'revoked')),
        source text not null check (source in ('purchase', 'manual', 'membership', 'free', 'import')),
        started_at timestamptz(3) not null default now(),
        -- null: for life
        expires_at timestamptz(3),
        completion_rate double precision not null default 0 check (completion_rate between 0 and 1),
        completed_at timestamptz(3),
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        -- One enrolment per student and course, ended or not: enrolling again makes it active again, progress and all.
        constraint enrollments_student_course unique (site_id, student_id, course_id),
        foreign key (site_id, student_id) references students (site_id, id),
        foreign key (site_id, course_id) references courses (site_id, id)
      );
      -- GET /students/{id}/enrollments
      create index enrollments_by_student on enrollments (site_id, student_id, created_at, id);
      -- the foreign key to courses
      create index enrollments_by_course on enrollments (site_id, course_id);
      -- the sweep that ends what has run out
      create index enrollments_due on enrollments (expires_at) where state = 'active' and expires_at is not null;

      -- Copy of identity.role.*: who holds which roles at which site.
      create table people_roles (
        site_id uuid not null,
        person_id uuid not null,
        email text not null,
        name text not null,
        roles text[] not null,
        version int not null,
        primary key (site_id, person_id)
      );
      -- POST /students: the person of an e-mail, when auth knows one already
      create index people_roles_by_email on people_roles (site_id, email);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table people_roles, enrollments, students, courses');
  }
}
