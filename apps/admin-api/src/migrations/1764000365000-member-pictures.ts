import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Members whose picture is a file of the site (ADR 87). */
export class MemberPictures1764000365000 implements MigrationInterface {
  name = 'MemberPictures1764000365000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table file_uses
        add column member_id uuid,
        add foreign key (site_id, member_id) references members (site_id, id) on delete cascade,
        drop constraint file_uses_check;
      alter table file_uses add constraint file_uses_check check (num_nonnulls(
        lecture_id, appearance_revision_id, course_id, lecturer_id, digital_product_id, post_id, member_id) = 1);
      -- the picture of a member
      create unique index file_uses_member on file_uses (site_id, member_id, file_id) where member_id is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from file_uses where member_id is not null;
      drop index file_uses_member;
      alter table file_uses drop constraint file_uses_check, drop column member_id;
      alter table file_uses add constraint file_uses_check check (num_nonnulls(
        lecture_id, appearance_revision_id, course_id, lecturer_id, digital_product_id, post_id) = 1);
    `);
  }
}
