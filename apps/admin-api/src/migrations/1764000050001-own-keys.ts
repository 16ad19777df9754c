import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ids and values of the caller at courses and students, and an index for lists by the last change. */
export class OwnKeys1764000050001 implements MigrationInterface {
  name = 'OwnKeys1764000050001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table courses add column external_id text, add column metadata jsonb not null default '{}';
      alter table students add column metadata jsonb not null default '{}';
      -- GET /courses?external_id=…, and the upsert
      alter table courses add constraint courses_external_id unique (site_id, external_id);

      -- GET /courses?sort=updated_at, and updated_at[…]
      create index courses_by_updated_at on courses (site_id, updated_at, id);
      -- GET /students?sort=updated_at, and updated_at[…]
      create index students_by_updated_at on students (site_id, updated_at, id);
      -- GET /digital_products?sort=updated_at, and updated_at[…]
      create index digital_products_by_updated_at on digital_products (site_id, updated_at, id);
      -- GET /events?sort=updated_at, and updated_at[…]
      create index events_by_updated_at on events (site_id, updated_at, id);
      -- GET /membership_plans?sort=updated_at, and updated_at[…]
      create index membership_plans_by_updated_at on membership_plans (site_id, updated_at, id);
      -- GET /lecturers?sort=updated_at, and updated_at[…]
      create index lecturers_by_updated_at on lecturers (site_id, updated_at, id);
      -- GET /pages?sort=updated_at, and updated_at[…]
      create index pages_by_updated_at on pages (site_id, updated_at, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index courses_by_updated_at, students_by_updated_at, digital_products_by_updated_at, events_by_updated_at,
        membership_plans_by_updated_at, lecturers_by_updated_at, pages_by_updated_at;
      alter table students drop column metadata;
      alter table courses drop column metadata, drop column external_id;
    `);
  }
}
