import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The pause that a receiver of webhooks asks for with `Retry-After` (ADR 104). */
export class WebhookPauses1764000257000 implements MigrationInterface {
  name = 'WebhookPauses1764000257000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Nothing is sent to the endpoint before; null: the receiver asked for no pause
      alter table webhook_queues add column held_until timestamptz(3);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table webhook_queues drop column held_until');
  }
}
