import type { MigrationInterface, QueryRunner } from 'typeorm';

/** ADR 219. */
export class StudentsOfProgress1795987200070 implements MigrationInterface {
  name = 'StudentsOfProgress1795987200070';
  /** Each statement locks one table (ADR 204). Another run makes what is missing. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // Null for a row of 0.1.0, until the next event of the lecture.
    await runner.query('alter table lecture_progress add column if not exists student_id uuid');
    await runner.query('alter table playbacks add column if not exists student_id uuid');
    // The rows of a student with another person, whom the student was before.
    for (const table of ['lecture_progress', 'playbacks']) {
      await runner.query(`create index if not exists ${table}_student on ${table} (student_id, course_id, lecture_id)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table playbacks drop column if exists student_id');
    await runner.query('alter table lecture_progress drop column if exists student_id');
  }
}
