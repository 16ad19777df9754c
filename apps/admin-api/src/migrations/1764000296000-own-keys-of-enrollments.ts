import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `external_id` and `metadata` of enrollments. */
export class OwnKeysOfEnrollments1764000296000 implements MigrationInterface {
  name = 'OwnKeysOfEnrollments1764000296000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table enrollments
        add column external_id text,
        add column metadata jsonb not null default '{}',
        -- GET /enrollments?external_id=…
        add constraint enrollments_external_id unique (site_id, external_id);
      -- GET /enrollments?metadata[key]=…
      create index enrollments_metadata on enrollments using gin (site_id, metadata jsonb_path_ops)
        where metadata <> '{}';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index enrollments_metadata;
      alter table enrollments
        drop constraint enrollments_external_id,
        drop column external_id,
        drop column metadata;
    `);
  }
}
