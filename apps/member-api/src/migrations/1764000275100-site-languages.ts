import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The language of a site. Null until its next event, or `rebuild schools` after `republish` of auth. */
export class SiteLanguages1764000275100 implements MigrationInterface {
  name = 'SiteLanguages1764000275100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table sites add column locale text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table sites drop column locale');
  }
}
