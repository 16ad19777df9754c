import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Drops an index whose columns are the first of `coupon_redemptions_by_student`. */
export class ReplacedIndexOfRedemptions1795987200061 implements MigrationInterface {
  readonly name = 'ReplacedIndexOfRedemptions1795987200061';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index coupon_redemptions_of_student');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- DELETE /students/{id}: the condition, and the check of the foreign key
      create index coupon_redemptions_of_student on coupon_redemptions (site_id, student_id)`);
  }
}
