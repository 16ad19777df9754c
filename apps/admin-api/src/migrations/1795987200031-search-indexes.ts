import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The searched texts, as the statements of lists have them. */
const SEARCHED: Readonly<Record<string, string>> = {
  categories: `name || ' ' || slug`,
  consulting_services: `name || ' ' || slug`,
  coupons: `name || ' ' || code::text`,
  courses: `name || ' ' || coalesce(subtitle, '') || ' ' || slug`,
  digital_products: `name || ' ' || slug`,
  events: `name || ' ' || slug`,
  lecturers: 'name',
  lectures: `title || ' ' || slug`,
  members: `name || ' ' || coalesce(email, '')`,
  membership_plans: `name || ' ' || slug`,
  posts: `title || ' ' || coalesce(subtitle, '') || ' ' || slug`,
  sections: 'title',
  students: `name || ' ' || email`,
};

/** q=… of each list by an index that has the letters of each script (ADR 204). */
export class SearchIndexes1795987200031 implements MigrationInterface {
  readonly name = 'SearchIndexes1795987200031';
  /**
   * Each statement locks one table, and none while it waits for another: an index takes up to 45 s for a million rows,
   * and a transaction that has written to two tables would wait in a circle. Another run makes those that are missing.
   */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, text] of Object.entries(SEARCHED)) {
      await runner.query(`create index if not exists ${table}_by_words on ${table}
        using gin (site_id, search_key(${text}) gin_trgm_ops)`);
      await runner.query(`drop index if exists ${table}_by_text`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, text] of Object.entries(SEARCHED)) {
      // Lecturers had no such index.
      if (table !== 'lecturers')
        await runner.query(
          `create index if not exists ${table}_by_text on ${table} using gin (site_id, (${text}) gin_trgm_ops)`,
        );
      await runner.query(`drop index if exists ${table}_by_words`);
    }
  }
}
