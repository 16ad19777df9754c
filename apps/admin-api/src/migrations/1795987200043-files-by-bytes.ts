import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FilesByBytes1795987200043 implements MigrationInterface {
  readonly name = 'FilesByBytes1795987200043';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- a logo that the uploader has stored before
      create index files_by_bytes on files (site_id, sha256) where state = 'ready'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index files_by_bytes');
  }
}
