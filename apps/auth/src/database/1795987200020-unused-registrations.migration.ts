import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The sweep of registered clients read all used ones each minute. */
export class UnusedRegistrations1795987200020 implements MigrationInterface {
  readonly name = 'UnusedRegistrations1795987200020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Serves the sweep of registered clients that were never used. clients_registered_idle serves that of idle ones.
      create index clients_registered_unused on clients (created_at) where source = 'loopback' and last_used_at is null
        and deleted_at is null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index clients_registered_unused');
  }
}
