import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes for foreign keys: each deletion of a client or site read whole tables. */
export class ForeignKeyIndexes1795987200001 implements MigrationInterface {
  readonly name = 'ForeignKeyIndexes1795987200001';
  /** Each statement locks one table (ADR 204). Another run makes the indexes that are missing. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Serves the deletion of a client, and a changed document, which ends the approvals of its client.
      create index if not exists consents_of_client on consents (client_key);
      -- Serve the deletion and the move of a site.
      create index if not exists consents_of_site on consents (site_id);
    `);
    await runner.query('create index if not exists sessions_of_site on sessions (site_id)');
    await runner.query(`
      -- Serves the deletion of a site, with deleted clients.
      create index if not exists clients_by_site on clients (site_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index if exists consents_of_client, consents_of_site');
    await runner.query('drop index if exists sessions_of_site');
    await runner.query('drop index if exists clients_by_site');
  }
}
