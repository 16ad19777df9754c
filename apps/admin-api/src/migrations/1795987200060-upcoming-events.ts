import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The list of upcoming events read all past ones. */
export class UpcomingEvents1795987200060 implements MigrationInterface {
  readonly name = 'UpcomingEvents1795987200060';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- browse_events: upcoming events. events_by_start serves past ones
      create index events_upcoming on events (site_id, starts_at, id) where state in ('published', 'live')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index events_upcoming');
  }
}
