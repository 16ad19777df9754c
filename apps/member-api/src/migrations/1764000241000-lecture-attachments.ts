import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The attachments of lectures. Empty until `republish lecture_attachments` at admin-api. */
export class LectureAttachments1764000241000 implements MigrationInterface {
  readonly name = 'LectureAttachments1764000241000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table lecture_attachments (
        site_id uuid not null,
        lecture_id uuid not null,
        course_id uuid not null,
        epoch bigint not null,
        version integer not null,
        attachments jsonb not null,
        primary key (site_id, lecture_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table lecture_attachments');
  }
}
