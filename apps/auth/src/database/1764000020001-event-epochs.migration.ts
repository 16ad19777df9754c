import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The epoch of the event that a row was last changed by: it counts before `version` (ADR 40). */
export class EventEpochs1764000020001 implements MigrationInterface {
  readonly name = 'EventEpochs1764000020001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE site_appearances ADD COLUMN epoch bigint NOT NULL DEFAULT 1');
    await runner.query('ALTER TABLE school_students ADD COLUMN epoch bigint NOT NULL DEFAULT 1');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE school_students DROP COLUMN epoch');
    await runner.query('ALTER TABLE site_appearances DROP COLUMN epoch');
  }
}
