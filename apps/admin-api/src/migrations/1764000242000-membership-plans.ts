import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Terms, own keys and withdrawn prices of membership plans (ADR 88). */
export class MembershipPlans1764000242000 implements MigrationInterface {
  name = 'MembershipPlans1764000242000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table membership_plans
        -- Days of access from the sale, of a specific_length plan
        add column access_days int check (access_days > 0),
        -- End of access of every buyer, of a fixed_date plan
        add column access_ends_at timestamptz(3),
        add column external_id text,
        add column metadata jsonb not null default '{}',
        add constraint membership_plans_sold check (sold_count <= quantity),
        -- GET /membership_plans?external_id=…, and the upsert
        add constraint membership_plans_external_id unique (site_id, external_id);
      -- Before, the access by such a plan ended with its sale
      update membership_plans set access_ends_at = ends_at where plan_type = 'fixed_date';

      alter table membership_plan_prices
        -- false: not for sale. Subscriptions and orders may name it
        add column active boolean not null default true,
        drop constraint membership_plan_prices_position,
        -- the prices of a plan, in their order. Deferred: a statement that changes the order meets the old places
        add constraint membership_plan_prices_position unique (site_id, plan_id, position) deferrable initially deferred;
    `);
  }

  /** The former version sells each price, so the withdrawn ones go. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from membership_plan_prices where not active;
      alter table membership_plan_prices
        drop constraint membership_plan_prices_position,
        add constraint membership_plan_prices_position unique (site_id, plan_id, position),
        drop column active;
      alter table membership_plans
        drop constraint membership_plans_external_id,
        drop constraint membership_plans_sold,
        drop column metadata,
        drop column external_id,
        drop column access_ends_at,
        drop column access_days;
    `);
  }
}
