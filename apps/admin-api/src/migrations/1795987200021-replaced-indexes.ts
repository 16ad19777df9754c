import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Drops the indexes that those of the migration before replace. A transaction with the lock of a creation could wait in
 * a circle with one that reads a table before it writes to it.
 */
export class ReplacedIndexes1795987200021 implements MigrationInterface {
  readonly name = 'ReplacedIndexes1795987200021';
  /** Each statement locks one table (ADR 204). Another run drops those that are left. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index if exists consulting_slots_of_lecturer');
    await runner.query('drop index if exists event_registrations_ticket');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- other slots of a lecturer at the same time
      create index if not exists consulting_slots_of_lecturer on consulting_slots (site_id, lecturer_id, starts_at)
        where state = 'open'`);
    await runner.query(`
      -- ticket_id=…, and the deletion of a ticket
      create index if not exists event_registrations_ticket
        on event_registrations (site_id, event_id, ticket_id, created_at, id)`);
  }
}
