import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Drops the indexes that those of the migration before replace. A transaction of its own: with the locks of a creation
 * it could wait in a circle with a transaction that reads a table before it writes to it.
 */
export class ReplacedIndexes1795987200021 implements MigrationInterface {
  readonly name = 'ReplacedIndexes1795987200021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index consulting_slots_of_lecturer');
    await runner.query('drop index event_registrations_ticket');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- other slots of a lecturer at the same time
      create index consulting_slots_of_lecturer on consulting_slots (site_id, lecturer_id, starts_at)
        where state = 'open';
      -- ticket_id=…, and the deletion of a ticket
      create index event_registrations_ticket on event_registrations (site_id, event_id, ticket_id, created_at, id)`);
  }
}
