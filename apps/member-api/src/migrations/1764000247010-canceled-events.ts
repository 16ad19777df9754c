import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Registrants are notified of the cancellation of an event (ADR 93). */
export class CanceledEvents1764000247010 implements MigrationInterface {
  readonly name = 'CanceledEvents1764000247010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- null until the event is published again (\`rebuild event-registrations\`)
      alter table events add column canceled_at timestamptz(3);
      alter table fan_outs drop constraint fan_out_audience_check;
      alter table fan_outs add constraint fan_out_audience_check
        check (audience in ('course', 'site', 'event', 'canceled_event'));
      drop index event_registration_audience;
      -- the registrants of an event in batches, also those whom its cancellation canceled
      create index event_registration_audience on event_registrations (site_id, event_id, person_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index event_registration_audience;
      create index event_registration_audience on event_registrations (site_id, event_id, person_id)
        where state = 'registered';
      delete from fan_outs where audience = 'canceled_event';
      alter table fan_outs drop constraint fan_out_audience_check;
      alter table fan_outs add constraint fan_out_audience_check check (audience in ('course', 'site', 'event'));
      alter table events drop column canceled_at;
    `);
  }
}
