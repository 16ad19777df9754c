import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Courses are found by the words of their subtitle too. */
export class SubtitleSearch1763930000001 implements MigrationInterface {
  name = 'SubtitleSearch1763930000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index courses_by_text;
      -- GET /courses?q=… and search_catalog with q
      create index courses_by_text on courses
        using gin (site_id, (name || ' ' || coalesce(subtitle, '') || ' ' || slug) gin_trgm_ops);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index courses_by_text;
      create index courses_by_text on courses using gin (site_id, (name || ' ' || slug) gin_trgm_ops);
    `);
  }
}
