import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `outbox`: what was committed and is not published yet. `inbox`: what each consumer has applied. */
export class OutboxInbox1793000000000 implements MigrationInterface {
  readonly name = 'OutboxInbox1793000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbox (
        seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id uuid NOT NULL,
        channel text NOT NULL CHECK (channel IN ('event', 'broadcast')),
        subject text NOT NULL,
        aggregate_id text NOT NULL,
        payload text NOT NULL,
        trace jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    // The relay's batch: the oldest of one channel. The table is nearly always empty, so vacuum it early.
    await runner.query('CREATE INDEX outbox_channel_seq ON outbox (channel, seq)');
    await runner.query(
      'ALTER TABLE outbox SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)',
    );
    await runner.query(`
      CREATE TABLE inbox (
        consumer text NOT NULL,
        event_id uuid NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (consumer, event_id)
      )`);
    // The sweep of old rows. Rows are written in the order of time, so a block range index is enough and costs nothing.
    await runner.query('CREATE INDEX inbox_applied_at ON inbox USING brin (applied_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE inbox');
    await runner.query('DROP TABLE outbox');
  }
}
