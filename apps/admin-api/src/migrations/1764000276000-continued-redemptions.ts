import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Redemptions of further payments of a subscription (ADR 91). */
export class ContinuedRedemptions1764000276000 implements MigrationInterface {
  name = 'ContinuedRedemptions1764000276000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- true: an earlier payment of the subscription redeemed the coupon, so no limit counts this one
      alter table coupon_redemptions add column continued boolean not null default false
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table coupon_redemptions drop column continued');
  }
}
