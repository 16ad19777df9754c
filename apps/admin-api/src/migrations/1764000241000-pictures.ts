import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Courses and lecturers whose picture is a file of the site (ADR 87). */
export class Pictures1764000241000 implements MigrationInterface {
  name = 'Pictures1764000241000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table file_uses
        add column course_id uuid,
        add column lecturer_id uuid,
        drop constraint file_uses_check,
        add constraint file_uses_check
          check (num_nonnulls(lecture_id, appearance_revision_id, course_id, lecturer_id) = 1),
        add foreign key (site_id, course_id) references courses (site_id, id) on delete cascade,
        add foreign key (site_id, lecturer_id) references lecturers (site_id, id) on delete cascade;
      -- the picture of a course
      create unique index file_uses_course on file_uses (site_id, course_id, file_id) where course_id is not null;
      -- the picture of a lecturer
      create unique index file_uses_lecturer on file_uses (site_id, lecturer_id, file_id) where lecturer_id is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from file_uses where num_nonnulls(lecture_id, appearance_revision_id) = 0;
      alter table file_uses
        drop constraint file_uses_check,
        drop column course_id,
        drop column lecturer_id,
        add constraint file_uses_check check (num_nonnulls(lecture_id, appearance_revision_id) = 1);
    `);
  }
}
