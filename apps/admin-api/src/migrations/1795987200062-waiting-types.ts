import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Another URL and a claim of a webhook endpoint read all deliveries that wait, while its queue was locked. */
export class WaitingTypes1795987200062 implements MigrationInterface {
  readonly name = 'WaitingTypes1795987200062';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- types of the deliveries that wait for an endpoint
      create index webhook_deliveries_waiting on webhook_deliveries (site_id, endpoint_id, event_type)
        where due_at is not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index webhook_deliveries_waiting');
  }
}
