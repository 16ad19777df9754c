import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The deletion of a student who was never applied creates no person, and keeps its position. */
export class DeletedStudents1795987200021 implements MigrationInterface {
  readonly name = 'DeletedStudents1795987200021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table school_students alter column person_id drop not null');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from school_students where person_id is null;
      alter table school_students alter column person_id set not null;
    `);
  }
}
