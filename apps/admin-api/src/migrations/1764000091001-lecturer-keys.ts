import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ids and values of the caller at lecturers. */
export class LecturerKeys1764000091001 implements MigrationInterface {
  name = 'LecturerKeys1764000091001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table lecturers add column external_id text, add column metadata jsonb not null default '{}';
      -- GET /lecturers?external_id=…, and the upsert
      alter table lecturers add constraint lecturers_external_id unique (site_id, external_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table lecturers drop column metadata, drop column external_id');
  }
}
