import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['pages', 'webhook_endpoints', 'consulting_services'];

/** Entity tags come from `revision`, which grows with edits alone. Rows from before keep the tags that editors have. */
export class Revisions1795987200000 implements MigrationInterface {
  readonly name = 'Revisions1795987200000';
  /** Each statement locks one table (ADR 204). Another run makes the columns that are missing. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`
        alter table ${table} add column if not exists revision int not null default 1;
        update ${table} set revision = version where version <> 1;
      `);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`alter table ${table} drop column if exists revision`);
  }
}
