import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['consulting_purchases', 'consulting_bookings', 'digital_product_grants', 'subscriptions'];

/**
 * Entity tags come from `version - links`. A column `revision` would need a value in each row of large tables, and the
 * release before would not raise it.
 */
export class Links1795987200002 implements MigrationInterface {
  readonly name = 'Links1795987200002';
  /** Each statement locks one table (ADR 204). Another run makes the columns that are missing. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`alter table ${table} add column if not exists links int not null default 0`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`alter table ${table} drop column if exists links`);
  }
}
