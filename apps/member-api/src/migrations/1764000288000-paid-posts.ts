import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The members who are notified of paid posts. The source of an enrollment is null until its next event. */
export class PaidPosts1764000288000 implements MigrationInterface {
  readonly name = 'PaidPosts1764000288000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table enrollments add column source text;
      -- the members who paid, in batches
      create index subscription_members on subscriptions (site_id, person_id)
        where state in ('trialing', 'active', 'past_due');
      create index enrollment_members on enrollments (site_id, person_id) where state = 'active';
    `);
    await runner.query(checked(`, 'paying_members'`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from fan_outs where audience = 'paying_members'`);
    await runner.query(checked(''));
    await runner.query(`
      drop index enrollment_members, subscription_members;
      alter table enrollments drop column source;
    `);
  }
}

function checked(more: string): string {
  return `alter table fan_outs drop constraint fan_out_audience_check;
    alter table fan_outs add constraint fan_out_audience_check check (audience in (
      'course', 'site', 'event', 'canceled_event', 'registration', 'booking', 'product_grant', 'consulting_purchase',
      'membership_plan'${more}))`;
}
