import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The due time of exports in milliseconds, as every instant. */
export class ExportInstants1764000220001 implements MigrationInterface {
  name = 'ExportInstants1764000220001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table exports alter column due_at type timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table exports alter column due_at type timestamptz');
  }
}
