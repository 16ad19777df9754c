import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Posts of the school, as far as notifications are about them. */
export class Posts1763690000001 implements MigrationInterface {
  readonly name = 'Posts1763690000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table post (
        post_id uuid primary key,
        site_id uuid not null,
        version integer not null,
        slug text not null,
        title text not null,
        state text not null check (state in ('draft', 'published', 'unpublished', 'deleted'))
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table post');
  }
}
