import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Aggregates whose earlier events have personal data that must leave the streams (ADR 74). */
export class EventErasures1793000000003 implements MigrationInterface {
  readonly name = 'EventErasures1793000000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE event_erasures (
        aggregate_id text PRIMARY KEY,
        -- Position of the event without personal data: all earlier ones of the aggregate are deleted.
        epoch bigint NOT NULL,
        version int NOT NULL,
        requested_at timestamptz(3) NOT NULL DEFAULT now(),
        -- Null until the first pass.
        passed_at timestamptz(3)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE event_erasures');
  }
}
