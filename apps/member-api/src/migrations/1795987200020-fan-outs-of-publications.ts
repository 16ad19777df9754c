import type { MigrationInterface, QueryRunner } from 'typeorm';

const BEFORE = [
  'course',
  'site',
  'event',
  'canceled_event',
  'registration',
  'booking',
  'product_grant',
  'consulting_purchase',
  'membership_plan',
  'paying_members',
];
const ADDED = ['new_enrollments', 'product_holders', 'service_holders'];

const listed = (audiences: readonly string[]): string => audiences.map((one) => `'${one}'`).join(', ');
const allow = (audiences: readonly string[]): string => `
  alter table fan_outs drop constraint fan_out_audience_check,
    add constraint fan_out_audience_check check (audience in (${listed(audiences)}))`;

/** ADR 207. */
export class FanOutsOfPublications1795987200020 implements MigrationInterface {
  name = 'FanOutsOfPublications1795987200020';
  /** Each statement locks one table (ADR 204). Another run makes the indexes that are missing. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(allow([...BEFORE, ...ADDED]));
    await runner.query(`
      -- The members who have a product or a service, in batches.
      create index if not exists digital_product_grant_audience
        on digital_product_grants (site_id, digital_product_id, person_id) where state = 'active'`);
    await runner.query(`
      create index if not exists consulting_purchase_audience
        on consulting_purchases (site_id, consulting_service_id, person_id) where state = 'active'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index if exists consulting_purchase_audience, digital_product_grant_audience`);
    await runner.query(`delete from fan_outs where audience in (${listed(ADDED)})`);
    await runner.query(allow(BEFORE));
  }
}
