import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes for foreign keys: a deletion of the other row read all rows of the site. */
export class ForeignKeyIndexes1795987200020 implements MigrationInterface {
  readonly name = 'ForeignKeyIndexes1795987200020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- other slots of a lecturer at the same time, and the deletion of a lecturer
      create index consulting_slots_by_lecturer on consulting_slots (site_id, lecturer_id, starts_at)
        where lecturer_id is not null;
      -- ticket_id=…, and the deletion of a ticket
      create index event_registrations_by_ticket on event_registrations (site_id, ticket_id, created_at, id)
        where ticket_id is not null;
      -- the deletion of a site, with all enrollments
      create index course_reviews_by_enrollment on course_reviews (site_id, enrollment_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'drop index consulting_slots_by_lecturer, event_registrations_by_ticket, course_reviews_by_enrollment',
    );
  }
}
