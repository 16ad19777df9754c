import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PublishedPosts1795987200046 implements MigrationInterface {
  readonly name = 'PublishedPosts1795987200046';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- browse_posts
      create index posts_published on posts (site_id, published_at, id) where state = 'published'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index posts_published');
  }
}
