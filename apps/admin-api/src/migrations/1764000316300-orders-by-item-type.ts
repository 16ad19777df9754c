import type { MigrationInterface, QueryRunner } from 'typeorm';

const TYPES = ['course_plan', 'membership_plan', 'ticket', 'digital_product', 'consulting_sessions'];

/** Lists of orders by item type: an index for each type has its orders in the order of the list. */
export class OrdersByItemType1764000316300 implements MigrationInterface {
  name = 'OrdersByItemType1764000316300';

  async up(runner: QueryRunner): Promise<void> {
    for (const type of TYPES) {
      await runner.query(`
        -- GET /orders?item_type=…
        create index orders_of_${type} on orders (site_id, created_at, id) where item_types @> '{${type}}'
      `);
    }
    await runner.query('drop index orders_item_types');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('create index orders_item_types on orders using gin (site_id, item_types)');
    await runner.query(`drop index ${TYPES.map((type) => `orders_of_${type}`).join(', ')}`);
  }
}
