import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of one state are read from an index, however many rows have another state. */
export class StateFilters1764000000000 implements MigrationInterface {
  name = 'StateFilters1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- GET /digital_products?state=…
      create index digital_products_by_state on digital_products (site_id, state, created_at, id);
      -- GET /membership_plans?state=…
      create index membership_plans_by_state on membership_plans (site_id, state, created_at, id);
      -- GET /events?state=…
      create index events_by_state on events (site_id, state, created_at, id);
      -- GET /pages?state=…
      create index pages_by_state on pages (site_id, state, created_at, id);
      -- GET /lecturers?visible=…
      create index lecturers_by_visible on lecturers (site_id, visible, created_at, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index digital_products_by_state, membership_plans_by_state, events_by_state, pages_by_state,
        lecturers_by_visible
    `);
  }
}
