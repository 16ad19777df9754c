import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Posts of the school, as far as notifications are about them. */
export class Posts1763690000001 implements MigrationInterface {
  readonly name = 'Posts1763690000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE post (
        post_id uuid PRIMARY KEY,
        site_id uuid NOT NULL,
        version integer NOT NULL,
        slug text NOT NULL,
        title text NOT NULL,
        state text NOT NULL CHECK (state IN ('draft', 'published', 'unpublished', 'deleted'))
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE post');
  }
}
