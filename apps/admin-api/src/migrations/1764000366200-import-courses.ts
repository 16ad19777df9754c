import type { MigrationInterface, QueryRunner } from 'typeorm';

const BEFORE = ['students', 'categories', 'lecturers', 'enrollments'];

/** Imports of courses with their curricula. */
export class ImportCourses1764000366200 implements MigrationInterface {
  name = 'ImportCourses1764000366200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(checked([...BEFORE, 'courses']));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from imports where collection = 'courses'`);
    await runner.query(checked(BEFORE));
  }
}

function checked(collections: readonly string[]): string {
  const listed = collections.map((one) => `'${one}'`).join(', ');
  return `alter table imports drop constraint imports_collection_check;
    alter table imports add constraint imports_collection_check check (collection in (${listed}))`;
}
