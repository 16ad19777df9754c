import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A pending order keeps its coupon, unless the coupon was deactivated before. */
export class KeptCoupons1795987200050 implements MigrationInterface {
  readonly name = 'KeptCoupons1795987200050';
  /** Each statement locks one table (ADR 204): an order locks its coupon after its insert. Another run does the rest. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- null: active, or deactivated by the release before
      alter table coupons add column if not exists deactivated_at timestamptz(3)`);
    await runner.query(`
      -- changes and the deletion of a coupon: pending orders with its code
      create index if not exists orders_pending_coupon on orders (site_id, (coupon_code::citext))
        where state = 'pending' and coupon_code is not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index if exists orders_pending_coupon');
    await runner.query('alter table coupons drop column if exists deactivated_at');
  }
}
