import type { MigrationInterface, QueryRunner } from 'typeorm';

const AUDIENCES = [
  'course',
  'site',
  'event',
  'canceled_event',
  'registration',
  'booking',
  'product_grant',
  'consulting_purchase',
];

/** The subscriptions of members. Empty until `republish subscription` at admin-api, or `rebuild subscriptions`. */
export class Subscriptions1764000287000 implements MigrationInterface {
  readonly name = 'Subscriptions1764000287000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table subscriptions (
        subscription_id uuid primary key,
        site_id uuid not null,
        person_id uuid not null,
        plan_id uuid not null,
        epoch bigint not null,
        version integer not null,
        state text not null
      );
      -- the members of a membership plan, in batches
      create index subscription_audience on subscriptions (site_id, plan_id, person_id)
        where state in ('trialing', 'active', 'past_due');
    `);
    await runner.query(checked([...AUDIENCES, 'membership_plan']));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from fan_outs where audience = 'membership_plan'`);
    await runner.query(checked(AUDIENCES));
    await runner.query('drop table subscriptions');
  }
}

function checked(audiences: readonly string[]): string {
  return `alter table fan_outs drop constraint fan_out_audience_check;
    alter table fan_outs add constraint fan_out_audience_check
      check (audience in (${audiences.map((audience) => `'${audience}'`).join(', ')}))`;
}
