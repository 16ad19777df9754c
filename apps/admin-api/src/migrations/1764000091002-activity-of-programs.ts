import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Programs change things by commands, and act for no member (ADR 62). */
export class ActivityOfPrograms1764000091002 implements MigrationInterface {
  name = 'ActivityOfPrograms1764000091002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table activity
        alter column member_id drop not null,
        drop constraint activity_via_check,
        add constraint activity_via_check check (via in ('rest', 'tool', 'graphql', 'page', 'command')),
        add constraint activity_has_actor check (member_id is not null or client_id is not null);
    `);
  }

  /** The log before has no place for what programs did. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table activity disable trigger activity_rows_stay;
      delete from activity where member_id is null;
      alter table activity enable trigger activity_rows_stay;
      alter table activity
        drop constraint activity_has_actor,
        drop constraint activity_via_check,
        add constraint activity_via_check check (via in ('rest', 'tool', 'graphql', 'page')),
        alter column member_id set not null;
    `);
  }
}
