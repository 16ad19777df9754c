import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Comments on posts, which belong to no course (ADR 97). */
export class CommentsOnPosts1764000258001 implements MigrationInterface {
  name = 'CommentsOnPosts1764000258001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table comments
        drop constraint comments_commentable_type_check,
        alter column course_id drop not null,
        add constraint comments_commentable_type_check check (commentable_type in ('course', 'lecture', 'post')),
        add constraint comments_course_check check ((commentable_type = 'post') = (course_id is null));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from comments where commentable_type = 'post';
      alter table comments
        drop constraint comments_course_check,
        drop constraint comments_commentable_type_check,
        alter column course_id set not null,
        add constraint comments_commentable_type_check check (commentable_type in ('course', 'lecture'));
    `);
  }
}
