import type { MigrationInterface, QueryRunner } from 'typeorm';

export class UpdatedProgress1795987200044 implements MigrationInterface {
  readonly name = 'UpdatedProgress1795987200044';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- GET /students/{id}/progress?sort=updated_at, and updated_at[…]
      create index progress_by_updated_at on progress (site_id, student_id, updated_at, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index progress_by_updated_at');
  }
}
