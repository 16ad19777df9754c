import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The sweep of old rows reads a B-tree. A BRIN index serves it until the first sweep: rows of any time then fill the
 * free places, so that each range of blocks has an old one.
 */
export class InboxOrder1795987260001 implements MigrationInterface {
  readonly name = 'InboxOrder1795987260001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index inbox_applied_at');
    // For the sweep of old rows.
    await runner.query('create index inbox_applied_at on inbox (applied_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index inbox_applied_at');
    await runner.query('create index inbox_applied_at on inbox using brin (applied_at)');
  }
}
