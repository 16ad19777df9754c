import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of the plans of all courses of a site. */
export class ListsOfPlans1764000290010 implements MigrationInterface {
  name = 'ListsOfPlans1764000290010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- GET /course_plans with sort=created_at and created_at[…]
      create index course_plans_by_created_at on course_plans (site_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index course_plans_by_updated_at on course_plans (site_id, updated_at, id);
      -- sort=position
      create index course_plans_by_position on course_plans (site_id, position, id);
      -- sort=name
      create index course_plans_by_name on course_plans (site_id, name, id);
      -- active=…
      create index course_plans_by_active on course_plans (site_id, active, created_at, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index course_plans_by_active, course_plans_by_name, course_plans_by_position, course_plans_by_updated_at,
        course_plans_by_created_at
    `);
  }
}
