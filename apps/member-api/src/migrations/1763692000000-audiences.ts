import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who is told of events and sessions. */
export class Audiences1763692000000 implements MigrationInterface {
  readonly name = 'Audiences1763692000000';

  async up(runner: QueryRunner): Promise<void> {
    // Those who are registered for an event, in batches.
    await runner.query(
      `create index event_registration_audience on event_registration (site_id, event_id, person_id) where state = 'registered'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index event_registration_audience');
  }
}
