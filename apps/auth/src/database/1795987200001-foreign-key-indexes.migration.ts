import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes for foreign keys: each deletion of a client or site read whole tables. */
export class ForeignKeyIndexes1795987200001 implements MigrationInterface {
  readonly name = 'ForeignKeyIndexes1795987200001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Serves the deletion of a client, and a changed document, which ends the approvals of its client.
      create index consents_of_client on consents (client_key);
      -- Serve the deletion and the move of a site.
      create index consents_of_site on consents (site_id);
      create index sessions_of_site on sessions (site_id);
      -- Serves the deletion of a site, with deleted clients.
      create index clients_by_site on clients (site_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index consents_of_client, consents_of_site, sessions_of_site, clients_by_site');
  }
}
