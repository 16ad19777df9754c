import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLLECTIONS = ['enrollments'];
const MODES = ['upsert_by_student_and_course', 'update_by_student_and_course'];
const COLLECTIONS_BEFORE = ['students', 'categories', 'lecturers'];
const MODES_BEFORE = [
  'create_only',
  'upsert_by_email',
  'upsert_by_external_id',
  'upsert_by_slug',
  'update_by_email',
  'update_by_external_id',
  'update_by_slug',
];

/** Imports of enrollments, whose key has two members. */
export class ImportEnrollments1764000366100 implements MigrationInterface {
  name = 'ImportEnrollments1764000366100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(checked('collection', [...COLLECTIONS_BEFORE, ...COLLECTIONS]));
    await runner.query(checked('mode', [...MODES_BEFORE, ...MODES]));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `delete from imports where collection in (${listed(COLLECTIONS)}) or mode in (${listed(MODES)})`,
    );
    await runner.query(checked('collection', COLLECTIONS_BEFORE));
    await runner.query(checked('mode', MODES_BEFORE));
  }
}

function checked(column: string, values: readonly string[]): string {
  return `alter table imports drop constraint imports_${column}_check;
    alter table imports add constraint imports_${column}_check check (${column} in (${listed(values)}))`;
}

function listed(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(', ');
}
