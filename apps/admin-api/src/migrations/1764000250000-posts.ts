import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Posts of the school, and their covers (ADR 95). */
export class Posts1764000250000 implements MigrationInterface {
  name = 'Posts1764000250000';

  async up(runner: QueryRunner): Promise<void> {
    await this.#posts(runner);
    await runner.query(`
      alter table file_uses
        add column post_id uuid,
        add foreign key (site_id, post_id) references posts (site_id, id) on delete cascade,
        drop constraint file_uses_check;
      alter table file_uses add constraint file_uses_check check (num_nonnulls(
        lecture_id, appearance_revision_id, course_id, lecturer_id, digital_product_id, post_id) = 1);
      -- the cover of a post
      create unique index file_uses_post on file_uses (site_id, post_id, file_id) where post_id is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from file_uses where post_id is not null;
      drop index file_uses_post;
      alter table file_uses drop constraint file_uses_check, drop column post_id;
      alter table file_uses add constraint file_uses_check
        check (num_nonnulls(lecture_id, appearance_revision_id, course_id, lecturer_id, digital_product_id) = 1);
      drop table posts;
    `);
  }

  async #posts(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table posts (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        slug text not null,
        title text not null,
        subtitle text,
        body_html text,
        excerpt text,
        cover_url text,
        access_type text not null default 'public_access'
          check (access_type in ('public_access', 'login_required', 'paid')),
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
        foreign key (site_id, category_id) references categories (site_id, id),
        foreign key (site_id, author_id) references lecturers (site_id, id),
        foreign key (site_id, course_id) references courses (site_id, id),
        check (state = 'draft' or published_at is not null),
        constraint posts_slug unique (site_id, slug),
        -- GET /posts?external_id=…, and the upsert
        constraint posts_external_id unique (site_id, external_id)
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
      create index posts_by_text on posts
        using gin (site_id, (title || ' ' || coalesce(subtitle, '') || ' ' || slug) gin_trgm_ops);
      -- the clock: posts of all sites that are due
      create index posts_due on posts (published_at) where state = 'scheduled';
    `);
  }
}
