import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the orders of a subscription, which decide about the refund of one of them (ADR 89). */
export class OrdersOfSubscriptions1764000275000 implements MigrationInterface {
  name = 'OrdersOfSubscriptions1764000275000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- the other orders of a subscription, and the payments that a coupon reduced
      create index subscription_orders_subscription on subscription_orders (site_id, subscription_id)
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index subscription_orders_subscription');
  }
}
