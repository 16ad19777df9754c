import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes for foreign keys: a deletion of the other row read all rows of the site. */
export class ForeignKeyIndexes1795987200020 implements MigrationInterface {
  readonly name = 'ForeignKeyIndexes1795987200020';
  /** Each statement locks one table (ADR 204). Another run makes the indexes that are missing. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- other slots of a lecturer at the same time, and the deletion of a lecturer
      create index if not exists consulting_slots_by_lecturer on consulting_slots (site_id, lecturer_id, starts_at)
        where lecturer_id is not null`);
    await runner.query(`
      -- ticket_id=…, and the deletion of a ticket
      create index if not exists event_registrations_by_ticket
        on event_registrations (site_id, ticket_id, created_at, id) where ticket_id is not null`);
    await runner.query(`
      -- the deletion of a site, with all enrollments
      create index if not exists course_reviews_by_enrollment on course_reviews (site_id, enrollment_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index if exists consulting_slots_by_lecturer');
    await runner.query('drop index if exists event_registrations_by_ticket');
    await runner.query('drop index if exists course_reviews_by_enrollment');
  }
}
