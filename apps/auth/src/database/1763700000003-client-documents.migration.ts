import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Clients that describe themselves by a document at their client_id (Client ID Metadata Document). The content of the
 * document is in `clients`, one row per site, because each site reviews for itself; this table has the time of the
 * fetch.
 */
export class ClientDocuments1763700000003 implements MigrationInterface {
  readonly name = 'ClientDocuments1763700000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE clients
        -- Null for all clients but those by document, which are looked at by the site's operator.
        ADD COLUMN review text CHECK (review IN ('unreviewed', 'approved', 'blocked')),
        ADD CONSTRAINT clients_review_of_documents CHECK ((source = 'document') = (review IS NOT NULL))`);
    await runner.query(`
      CREATE TABLE client_documents (
        -- Primary key serves the question before each authorization: is the document still fresh.
        client_key uuid PRIMARY KEY REFERENCES clients ON DELETE CASCADE,
        etag       text,
        fetched_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL
      )`);
    await runner.query(`
      -- Serves the sweep of unused documents.
      CREATE INDEX client_documents_by_expiry ON client_documents (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE client_documents');
    await runner.query('ALTER TABLE clients DROP COLUMN review CASCADE');
  }
}
