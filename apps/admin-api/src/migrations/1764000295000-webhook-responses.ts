import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The responses of receivers in the log of deliveries (ADR 98). */
export class WebhookResponses1764000295000 implements MigrationInterface {
  name = 'WebhookResponses1764000295000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The beginning of the response to the last attempt, without the secrets of the endpoint; null: none, or erased
      alter table webhook_deliveries add column response_body text;
      -- Responses of the site that are searched for a removed member
      create index webhook_deliveries_responses on webhook_deliveries (site_id) where response_body is not null;
      -- Last removal of a member: responses of turns from before it are not stored
      alter table webhook_queues add column erased_at timestamptz(3);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table webhook_queues drop column erased_at;
      alter table webhook_deliveries drop column response_body;
    `);
  }
}
