import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of the redemptions of all coupons of a site. */
export class ListsOfRedemptions1764000299001 implements MigrationInterface {
  name = 'ListsOfRedemptions1764000299001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- GET /coupon_redemptions with sort=created_at and created_at[…]
      create index coupon_redemptions_by_created_at on coupon_redemptions (site_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index coupon_redemptions_by_updated_at on coupon_redemptions (site_id, updated_at, id);
      -- student_id=…
      create index coupon_redemptions_by_student on coupon_redemptions (site_id, student_id, created_at, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index coupon_redemptions_by_student, coupon_redemptions_by_updated_at, coupon_redemptions_by_created_at
    `);
  }
}
