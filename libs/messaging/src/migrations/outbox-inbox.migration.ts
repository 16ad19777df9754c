import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `outbox`: committed messages that are not published yet. `inbox`: the events that each consumer has applied. */
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
    // For the relay's batch: the oldest rows of one channel. The table is nearly always empty, so it is vacuumed early.
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
    // For the sweep of old rows. Rows are inserted in the order of time, so a small BRIN index is enough.
    await runner.query('CREATE INDEX inbox_applied_at ON inbox USING brin (applied_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE inbox');
    await runner.query('DROP TABLE outbox');
  }
}
