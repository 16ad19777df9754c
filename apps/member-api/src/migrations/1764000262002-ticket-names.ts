import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An event names its tickets, so a ticket with another name needs no event of each registration (ADR 102). */
export class TicketNames1764000262002 implements MigrationInterface {
  readonly name = 'TicketNames1764000262002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table events add column tickets jsonb not null default '[]';
      update events t set tickets = known.tickets
      from (
        select event_id, jsonb_agg(distinct jsonb_build_object('ticket_id', ticket_id, 'name', ticket_name)) as tickets
        from event_registrations where ticket_name is not null group by event_id) known
      where known.event_id = t.event_id;
      alter table event_registrations drop column ticket_name;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table event_registrations add column ticket_name text;
      update event_registrations r set ticket_name = k.ticket->>'name'
      from events t cross join jsonb_array_elements(t.tickets) as k (ticket)
      where t.event_id = r.event_id and k.ticket->>'ticket_id' = r.ticket_id::text;
      alter table events drop column tickets;
    `);
  }
}
