import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys of writes whose step runs outside of a transaction, where no lock protects them. */
export class IdempotencySteps1795987200063 implements MigrationInterface {
  readonly name = 'IdempotencySteps1795987200063';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Until then a step of the key runs. The row has no answer yet, and created_at is past its lifetime
      alter table idempotency_keys add column running_until timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table idempotency_keys drop column running_until');
  }
}
