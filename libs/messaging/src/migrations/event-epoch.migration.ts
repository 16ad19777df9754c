import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The epoch of the events of this database. `raise-epoch` raises it after a restore. */
export class EventEpoch1793000000002 implements MigrationInterface {
  readonly name = 'EventEpoch1793000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE event_epoch (
        -- One row.
        is_current boolean PRIMARY KEY DEFAULT true CHECK (is_current),
        epoch bigint NOT NULL DEFAULT 1 CHECK (epoch > 0),
        raised_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query('INSERT INTO event_epoch DEFAULT VALUES');
    // Unpublished events of the previous version. They are published in the order of `seq`.
    await runner.query(`
      UPDATE outbox SET payload = (payload::jsonb || '{"epoch": 1, "actor":
        {"member_id": null, "client_id": null, "via": "system", "request_id": null}}')::text
       WHERE channel = 'event'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE event_epoch');
  }
}
