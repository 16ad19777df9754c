import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sections and lectures of courses. */
export class Curriculum1764000100000 implements MigrationInterface {
  name = 'Curriculum1764000100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The version of the curriculum of a course grows with each change of a section or lecture.
      alter table courses
        add column curriculum_version int not null default 0,
        add column curriculum_updated_at timestamptz(3),
        add column duration_seconds int not null default 0;

      create table sections (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        course_id uuid not null,
        title text not null,
        position int not null,
        drip_days int not null default 0 check (drip_days >= 0),
        external_id text,
        metadata jsonb not null default '{}',
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        foreign key (site_id, course_id) references courses (site_id, id) on delete cascade
      );
      -- the curriculum of a course, and course_id of lists
      create index sections_position on sections (site_id, course_id, position, id);
      -- sort=created_at and created_at[…]
      create index sections_created on sections (site_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index sections_updated on sections (site_id, updated_at, id);
      -- PUT /sections/by_external_id/{external_id}
      create unique index sections_external_id on sections (site_id, external_id);

      create table lectures (
        site_id uuid not null,
        id uuid not null default uuidv7(),
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
        foreign key (site_id, course_id) references courses (site_id, id) on delete cascade,
        foreign key (site_id, section_id) references sections (site_id, id) on delete cascade
      );
      -- the curriculum of a course, and section_id of lists
      create index lectures_position on lectures (site_id, section_id, position, id);
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
      -- the lectures that DELETE /lectures/{id} keeps
      create index progress_by_lecture on progress (site_id, lecture_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index progress_by_lecture;
      drop table lectures;
      drop table sections;
      alter table courses
        drop column curriculum_version, drop column curriculum_updated_at, drop column duration_seconds;
    `);
  }
}
