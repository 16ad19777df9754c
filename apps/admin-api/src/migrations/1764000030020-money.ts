import type { MigrationInterface, QueryRunner } from 'typeorm';

const AMOUNTS = [
  ['digital_products', 'price_amount_minor'],
  ['digital_products', 'compare_at_amount_minor'],
  ['event_tickets', 'price_amount_minor'],
  ['membership_plan_prices', 'price_amount_minor'],
] as const;

/** Number.MAX_SAFE_INTEGER: more is not exact in JSON. */
const MOST = '9007199254740991';

/** Amounts of money beyond 32 bits (ADR 43). `down` fails while there is one. */
export class Money1764000030020 implements MigrationInterface {
  readonly name = 'Money1764000030020';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, column] of AMOUNTS) {
      await runner.query(`
        alter table ${table} alter column ${column} type bigint,
          add constraint ${table}_${column}_exact check (${column} <= ${MOST})`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, column] of AMOUNTS) {
      await runner.query(`
        alter table ${table} drop constraint ${table}_${column}_exact, alter column ${column} type int`);
    }
  }
}
