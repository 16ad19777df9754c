import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The public id of a site. Null until `rebuild schools`. */
export class PublicSiteIds1763961000001 implements MigrationInterface {
  name = 'PublicSiteIds1763961000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table site add column org_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table site drop column org_id');
  }
}
