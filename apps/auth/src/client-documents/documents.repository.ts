import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import type { ClientSource, Review } from '#src/clients/client.js';
import type { ListedDocument } from './listed-document.js';

/** A client by id, from any source, with the state of its document. */
export interface KnownClient {
  readonly client_key: string;
  readonly source: ClientSource;
  readonly review: Review | null;
  readonly deleted: boolean;
  readonly etag: string | null;
  readonly fresh: boolean;
  /** Seconds since it expired; negative while it is fresh. */
  readonly overdue: number;
}

/** The parts of a document that are stored beside its client. */
export interface StoredDocument {
  readonly etag: string | null;
  readonly freshSeconds: number;
  readonly logo_uri: string | null;
}

const KNOWN = {
  name: 'document_known',
  // A site's own client takes precedence over a platform's of the same id.
  text: `
    SELECT c.client_key, c.source, c.review, c.deleted_at IS NOT NULL AS deleted, d.etag,
           coalesce(d.expires_at > now(), false) AS fresh,
           extract(epoch FROM now() - d.expires_at)::float8 AS overdue
      FROM clients c LEFT JOIN client_documents d USING (client_key)
     WHERE c.client_id = $1 AND (c.site_id = $2 OR c.site_id IS NULL)
     ORDER BY c.site_id NULLS LAST LIMIT 1`,
};
const EXTEND = {
  name: 'document_extend',
  text: `UPDATE client_documents SET fetched_at = now(), expires_at = now() + make_interval(secs => $2)
          WHERE client_key = $1`,
};
const LIST = {
  name: 'documents_of_site',
  text: `
    SELECT c.client_id, c.name, c.redirect_uris, c.review, d.fetched_at, c.last_used_at
      FROM clients c JOIN client_documents d USING (client_key)
     WHERE c.site_id = $1 AND c.deleted_at IS NULL
     ORDER BY (c.review = 'unreviewed') DESC, c.client_key DESC LIMIT $2`,
};

@Injectable()
export class DocumentsRepository {
  constructor(private readonly sql: Sql) {}

  async known(clientId: string, siteId: string): Promise<KnownClient | undefined> {
    const [row] = await this.sql.query<KnownClient>(KNOWN, [clientId, siteId]);
    return row;
  }

  /** Marks the document as unchanged. */
  async extend(clientKey: string, freshSeconds: number): Promise<void> {
    await this.sql.query(EXTEND, [clientKey, freshSeconds]);
  }

  list(siteId: string, limit: number): Promise<ListedDocument[]> {
    return this.sql.query<ListedDocument>(LIST, [siteId, limit]);
  }

  async save(manager: EntityManager, clientKey: string, document: StoredDocument): Promise<void> {
    const { etag, freshSeconds, logo_uri } = document;
    await manager.query(
      `INSERT INTO client_documents (client_key, etag, expires_at, logo_uri)
       VALUES ($1, $2, now() + make_interval(secs => $3), $4)
       ON CONFLICT (client_key) DO UPDATE SET etag = excluded.etag, fetched_at = excluded.fetched_at,
              expires_at = excluded.expires_at, logo_uri = excluded.logo_uri`,
      [clientKey, etag, freshSeconds, logo_uri],
    );
  }
}
