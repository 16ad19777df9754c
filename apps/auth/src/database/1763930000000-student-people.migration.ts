import type { MigrationInterface, QueryRunner } from 'typeorm';

export class StudentPeople1763930000000 implements MigrationInterface {
  name = 'StudentPeople1763930000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Serves the question whether another student of the site is the same person.
      CREATE INDEX school_students_by_person ON school_students (site_id, person_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX school_students_by_person');
  }
}
