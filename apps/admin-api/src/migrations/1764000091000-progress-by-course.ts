import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One index serves the progress of a student in a course and the last watched lecture of an enrollment. */
export class ProgressByCourse1764000091000 implements MigrationInterface {
  name = 'ProgressByCourse1764000091000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- GET /students/{id}/progress?course_id=…, and the last watched lecture of an enrollment
      create index progress_by_course on progress (site_id, student_id, course_id, watched_at, id);
      drop index progress_by_enrollment;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index progress_by_enrollment on progress (site_id, enrollment_id, watched_at, id);
      drop index progress_by_course;
    `);
  }
}
