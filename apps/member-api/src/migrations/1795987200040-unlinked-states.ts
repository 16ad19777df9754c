import type { MigrationInterface, QueryRunner } from 'typeorm';

/** ADR 74. */
export class UnlinkedStates1795987200040 implements MigrationInterface {
  name = 'UnlinkedStates1795987200040';

  async up(runner: QueryRunner): Promise<void> {
    // The last version of an aggregate that named no person: an earlier state that arrives later has no row.
    await runner.query(`
      create table unlinked_states (
        site_id uuid,
        id uuid,
        epoch bigint not null,
        version int not null,
        primary key (site_id, id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table unlinked_states`);
  }
}
