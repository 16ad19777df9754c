import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLLECTIONS = ['categories', 'lecturers'];
const MODES = ['upsert_by_slug', 'update_by_email', 'update_by_external_id', 'update_by_slug'];
const COLLECTIONS_BEFORE = ['students'];
const MODES_BEFORE = ['create_only', 'upsert_by_email', 'upsert_by_external_id'];

/** Imports of other collections, and the modes that add nothing. */
export class ImportKinds1764000316400 implements MigrationInterface {
  name = 'ImportKinds1764000316400';

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
