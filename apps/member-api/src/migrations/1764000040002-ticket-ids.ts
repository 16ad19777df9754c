import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ticket of a registration. Null until the registrations are published again (`rebuild event-registrations`). */
export class TicketIds1764000040002 implements MigrationInterface {
  name = 'TicketIds1764000040002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table event_registration add column ticket_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table event_registration drop column ticket_id');
  }
}
