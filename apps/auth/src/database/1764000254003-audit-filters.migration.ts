import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes for the filters of the audit log (ADR 110). */
export class AuditFilters1764000254003 implements MigrationInterface {
  readonly name = 'AuditFilters1764000254003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Serves the audit log of one person.
      create index audit_log_of_person on audit_log (site_id, person_id, audit_id desc) where person_id is not null`);
    await runner.query(`
      -- Serves the audit log of one application.
      create index audit_log_of_client on audit_log (site_id, client_id, audit_id desc) where client_id is not null`);
    await runner.query(`
      -- Serves the audit log of one event.
      create index audit_log_of_event on audit_log (site_id, event, audit_id desc)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index audit_log_of_person, audit_log_of_client, audit_log_of_event');
  }
}
