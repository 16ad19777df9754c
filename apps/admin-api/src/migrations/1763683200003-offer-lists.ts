import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The orders in which operators list what their school offers and says of itself. */
export class OfferLists1763683200003 implements MigrationInterface {
  name = 'OfferLists1763683200003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- GET /digital_products, sorted by created_at and by name
      create index digital_products_by_created_at on digital_products (site_id, created_at, id);
      create index digital_products_by_name on digital_products (site_id, name, id);
      -- GET /events, sorted by created_at and by starts_at
      create index events_by_created_at on events (site_id, created_at, id);
      create index events_by_starts_at on events (site_id, starts_at, id);
      -- GET /membership_plans, sorted by created_at and by name
      create index membership_plans_by_created_at on membership_plans (site_id, created_at, id);
      create index membership_plans_by_name on membership_plans (site_id, name, id);
      -- GET /lecturers, sorted by created_at and by name
      create index lecturers_by_created_at on lecturers (site_id, created_at, id);
      create index lecturers_by_name on lecturers (site_id, name, id);
      -- GET /pages, sorted by created_at and by slug
      create index pages_by_created_at on pages (site_id, created_at, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index digital_products_by_created_at, digital_products_by_name, events_by_created_at, events_by_starts_at,
        membership_plans_by_created_at, membership_plans_by_name, lecturers_by_created_at, lecturers_by_name,
        pages_by_created_at;
    `);
  }
}
