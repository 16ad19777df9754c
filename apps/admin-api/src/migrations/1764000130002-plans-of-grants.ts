import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The plans by which access was given (ADR 68). */
export class PlansOfGrants1764000130002 implements MigrationInterface {
  name = 'PlansOfGrants1764000130002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- null: no plan
      alter table access_grants add column plan_id uuid,
        add foreign key (site_id, plan_id) references course_plans (site_id, id);
      -- the plans that DELETE /courses/{course_id}/plans/{plan_id} keeps
      create index access_grants_by_plan on access_grants (site_id, plan_id) where plan_id is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table access_grants drop column plan_id');
  }
}
