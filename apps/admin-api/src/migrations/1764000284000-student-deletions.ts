import type { MigrationInterface, QueryRunner } from 'typeorm';

export class StudentDeletions1764000284000 implements MigrationInterface {
  name = 'StudentDeletions1764000284000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- DELETE /students/{id}: the condition, and the check of the foreign key
      create index coupon_redemptions_of_student on coupon_redemptions (site_id, student_id)
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index coupon_redemptions_of_student');
  }
}
