import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events of bulk work, which are published behind those of requests (ADR 94). */
export class BulkEvents1793000000004 implements MigrationInterface {
  readonly name = 'BulkEvents1793000000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table outbox
        drop constraint outbox_channel_check,
        add constraint outbox_channel_check check (channel in ('event', 'bulk', 'broadcast'))`);
    // The events that are to be published before a later one of their aggregate.
    await runner.query(`create index outbox_bulk on outbox (aggregate_id) where channel = 'bulk'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`update outbox set channel = 'event' where channel = 'bulk'`);
    await runner.query('drop index outbox_bulk');
    await runner.query(`
      alter table outbox
        drop constraint outbox_channel_check,
        add constraint outbox_channel_check check (channel in ('event', 'broadcast'))`);
  }
}
