import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Categories of a site, and the courses in them (ADR 68). */
export class Categories1764000130000 implements MigrationInterface {
  name = 'Categories1764000130000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table categories (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        slug text not null,
        name text not null,
        description text,
        position int not null default 0 check (position >= 0),
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
      create index categories_position on categories (site_id, position, id);
      -- sort=name
      create index categories_name on categories (site_id, name, id);
      -- sort=created_at and created_at[…]
      create index categories_created on categories (site_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index categories_updated on categories (site_id, updated_at, id);

      create table course_categories (
        site_id uuid not null,
        course_id uuid not null,
        category_id uuid not null,
        -- In the order in which the course names them
        position int not null,
        -- the categories of a course
        primary key (site_id, course_id, category_id),
        foreign key (site_id, course_id) references courses (site_id, id) on delete cascade,
        foreign key (site_id, category_id) references categories (site_id, id)
      );
      -- GET /courses?category_id=…, and the courses that keep a category
      create index course_categories_by_category on course_categories (site_id, category_id, course_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table course_categories;
      drop table categories;
    `);
  }
}
