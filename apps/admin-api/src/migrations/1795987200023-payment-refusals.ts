import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pending orders show why a payment was refused. */
export class PaymentRefusals1795987200023 implements MigrationInterface {
  readonly name = 'PaymentRefusals1795987200023';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table orders add column payment_refusal text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table orders drop column payment_refusal');
  }
}
