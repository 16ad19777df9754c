import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The lease of a pass. The previous release works with the column, and then reads the streams a second time at most. */
export class EventErasureLease1795987260000 implements MigrationInterface {
  readonly name = 'EventErasureLease1795987260000';

  async up(runner: QueryRunner): Promise<void> {
    // A running pass moves it forward, so that other replicas leave the erasure alone.
    await runner.query('alter table event_erasures add column leased_until timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table event_erasures drop column leased_until');
  }
}
