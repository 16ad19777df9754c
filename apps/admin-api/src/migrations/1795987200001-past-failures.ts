import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Failures of webhook endpoints to which nothing waits are over. Versions before kept them until the next success. */
export class PastFailures1795987200001 implements MigrationInterface {
  readonly name = 'PastFailures1795987200001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('update webhook_queues set failing_since = null where due_at is null');
  }

  async down(): Promise<void> {
    // The instants are gone.
  }
}
