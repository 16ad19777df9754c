import type { MigrationInterface, QueryRunner } from 'typeorm';

const BEFORE = `'students', 'enrollments', 'progress', 'orders', 'form_submissions'`;

/** Exports of members and of the activity. */
export class ExportCollections1764000290000 implements MigrationInterface {
  name = 'ExportCollections1764000290000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(checked(`${BEFORE}, 'members', 'activity'`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from exports where collection in ('members', 'activity')`);
    await runner.query(checked(BEFORE));
  }
}

function checked(collections: string): string {
  return `alter table exports drop constraint exports_collection_check;
    alter table exports add constraint exports_collection_check check (collection in (${collections}))`;
}
