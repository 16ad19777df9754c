import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `version` counts the events of a row, `revision` its edits. Linking a student to a person is an event and no edit, so it
 * leaves the entity tag of the student and of the enrollments as it is.
 */
export class Revisions1763930000000 implements MigrationInterface {
  name = 'Revisions1763930000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table students add column revision int not null default 1;
      update students set revision = version where version > 1;
      alter table enrollments add column revision int not null default 1;
      update enrollments set revision = version where version > 1;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table students drop column revision;
      alter table enrollments drop column revision;
    `);
  }
}
