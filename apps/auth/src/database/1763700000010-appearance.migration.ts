import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The appearance of a site's pages, as the school publishes it. */
export class Appearance1763700000010 implements MigrationInterface {
  readonly name = 'Appearance1763700000010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Copy of school.appearance.*, read with every site: an older event never undoes a newer one.
      CREATE TABLE site_appearances (
        site_id     uuid PRIMARY KEY REFERENCES sites,
        version     int NOT NULL,
        theme       jsonb NOT NULL,
        logo_url    text,
        favicon_url text
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE site_appearances');
  }
}
