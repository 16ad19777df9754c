import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Name and features of a site, as the school publishes them. */
export class SiteSchools1764000035000 implements MigrationInterface {
  readonly name = 'SiteSchools1764000035000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Copy of school.school.*, read with every site: an older event never undoes a newer one.
      CREATE TABLE site_schools (
        site_id         uuid PRIMARY KEY REFERENCES sites,
        epoch           bigint NOT NULL,
        version         int NOT NULL,
        -- null: the school has not set it
        name            text,
        mcp_connections boolean
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE site_schools');
  }
}
