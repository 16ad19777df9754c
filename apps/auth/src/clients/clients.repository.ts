import { Injectable } from '@nestjs/common';
import { Sql, preparedQuery } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { rows } from '#src/database/rows.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { CLIENT_COLUMNS, clientAtSite } from './client-at-site.js';
import type { ClientChange, OAuthClient } from './client.js';

const AT_SITE = { name: 'client_at_site', text: clientAtSite(CLIENT_COLUMNS) };
const MADE_AT_SITE = {
  name: 'clients_made_at_site',
  text: `
    SELECT ${CLIENT_COLUMNS} FROM clients WHERE site_id = $1 AND source = 'site' AND deleted_at IS NULL
       AND ($3::uuid IS NULL OR client_key < $3)
     ORDER BY client_key DESC LIMIT $2`,
};
const TOUCH = {
  name: 'client_touch',
  // An hourly record is enough to tell a used client from an idle one. The first use of a registered client is audited,
  // not its registration, which any caller can send.
  text: `
    WITH touched AS (
      UPDATE clients SET last_used_at = now()
       WHERE client_key = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 hour')
      RETURNING ${CLIENT_COLUMNS}, old.last_used_at IS NULL AS is_first
    ), audited AS (
      INSERT INTO audit_log (event, site_id, client_id, details)
      SELECT 'client.registered', site_id, client_id,
             jsonb_build_object('source', source, 'audience', audience, 'name', name, 'verified', false)
        FROM touched WHERE source = 'loopback' AND is_first
    )
    SELECT * FROM touched WHERE source = 'loopback' AND is_first`,
};
/** The oldest registered clients without a grant. The order makes PostgreSQL read the index of `instant` alone. */
const dueRegistrations = (instant: string, age: number, condition: string): string => `
  SELECT client_key FROM clients
   WHERE source = 'loopback' AND deleted_at IS NULL AND ${condition} AND ${instant} < now() - interval '${age} seconds'
     AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.client_key = clients.client_key)
   ORDER BY ${instant} LIMIT $1 FOR UPDATE SKIP LOCKED`;
/** PostgreSQL estimates no expression of a partial index: without this condition it would read all grants. */
const LONG_UNUSED = `last_used_at < now() - interval '${LIFETIMES.registration} seconds'`;
export const IDLE_REGISTRATIONS = `
  WITH unused AS (${dueRegistrations('created_at', LIFETIMES.unusedRegistration, 'last_used_at IS NULL')}),
       idle AS (${dueRegistrations('coalesce(last_used_at, created_at)', LIFETIMES.registration, LONG_UNUSED)})
  (TABLE unused UNION ALL TABLE idle) LIMIT $1`;
/** A registration alone is not published: any caller can send it, and the streams keep its event for a month. */
const PUBLISHED = `(source <> 'loopback' OR last_used_at IS NOT NULL OR version > 1)`;

export type NewClient = Omit<
  OAuthClient,
  'client_key' | 'version' | 'created_at' | 'last_used_at' | 'previous_secret_hash' | 'previous_secret_until'
>;

@Injectable()
export class ClientsRepository {
  constructor(private readonly sql: Sql) {}

  async atSite(clientId: string, siteId: string): Promise<OAuthClient | undefined> {
    const [row] = await this.sql.query<OAuthClient>(AT_SITE, [clientId, siteId]);
    return row;
  }

  /** Returns a registered client at its first use. */
  async touch(manager: EntityManager, clientKey: string): Promise<OAuthClient | undefined> {
    const [row] = await preparedQuery<OAuthClient>(manager, TOUCH, [clientKey]);
    return row;
  }

  /** Undefined when the id is or was in use at that site. */
  async insert(manager: EntityManager, client: NewClient): Promise<OAuthClient | undefined> {
    const [row] = await rows<OAuthClient>(
      manager,
      `INSERT INTO clients (client_id, site_id, name, audience, source, secret_hash, redirect_uris, scopes, review,
                            post_logout_redirect_uris, compatibility_mode)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING RETURNING ${CLIENT_COLUMNS}`,
      [
        client.client_id,
        client.site_id,
        client.name,
        client.audience,
        client.source,
        client.secret_hash,
        client.redirect_uris,
        client.scopes,
        client.review,
        client.post_logout_redirect_uris,
        client.compatibility_mode,
      ],
    );
    return row;
  }

  async lock(manager: EntityManager, clientId: string, siteId: string | null): Promise<OAuthClient | undefined> {
    const [row] = await rows<OAuthClient>(
      manager,
      `SELECT ${CLIENT_COLUMNS} FROM clients
        WHERE client_id = $1 AND site_id IS NOT DISTINCT FROM $2::uuid AND deleted_at IS NULL FOR UPDATE`,
      [clientId, siteId],
    );
    return row;
  }

  /** The next batch of published clients by key, deleted ones included, locked FOR SHARE. */
  share(
    manager: EntityManager,
    after: string | undefined,
    limit: number,
  ): Promise<(OAuthClient & { readonly deleted: boolean })[]> {
    return rows(
      manager,
      `SELECT ${CLIENT_COLUMNS}, deleted_at IS NOT NULL AS deleted
         FROM clients WHERE client_key > $1 AND ${PUBLISHED} ORDER BY client_key LIMIT $2 FOR SHARE`,
      [after, limit],
    );
  }

  async update(manager: EntityManager, clientKey: string, change: ClientChange): Promise<OAuthClient> {
    const [row] = await rows<OAuthClient>(
      manager,
      `UPDATE clients SET name = $2, secret_hash = $3, redirect_uris = $4, scopes = $5, review = $6,
              post_logout_redirect_uris = $7, compatibility_mode = $8, previous_secret_hash = $9,
              previous_secret_until = $10, version = version + 1
        WHERE client_key = $1 RETURNING ${CLIENT_COLUMNS}`,
      [
        clientKey,
        change.name,
        change.secret_hash,
        change.redirect_uris,
        change.scopes,
        change.review,
        change.post_logout_redirect_uris,
        change.compatibility_mode,
        change.previous_secret_hash,
        change.previous_secret_until,
      ],
    );
    if (row === undefined) throw new Error('The client does not exist although it is locked');
    return row;
  }

  async markDeleted(manager: EntityManager, clientKey: string): Promise<OAuthClient> {
    const [row] = await rows<OAuthClient>(
      manager,
      `UPDATE clients SET deleted_at = now(), version = version + 1 WHERE client_key = $1 RETURNING ${CLIENT_COLUMNS}`,
      [clientKey],
    );
    if (row === undefined) throw new Error('The client does not exist although it is locked');
    return row;
  }

  /**
   * Registered clients whose lifetime has ended. Rows and approvals are deleted for good: the ids are 256 random bits
   * and never return.
   */
  deleteIdleRegistrations(
    manager: EntityManager,
    limit: number,
  ): Promise<(OAuthClient & { readonly published: boolean })[]> {
    return rows(
      manager,
      `WITH idle AS (${IDLE_REGISTRATIONS}), forgotten AS (
         DELETE FROM consents s USING idle WHERE s.client_key = idle.client_key
       )
       DELETE FROM clients WHERE client_key IN (SELECT client_key FROM idle)
       RETURNING ${CLIENT_COLUMNS}, ${PUBLISHED} AS published`,
      [limit],
    );
  }

  /**
   * Unreviewed documents that expired an hour ago and were never used, or were idle for 90 days. They are deleted for
   * good; a later request with the client_id fetches the document again. Reviewed ones stay.
   */
  deleteIdleDocuments(manager: EntityManager, limit: number): Promise<OAuthClient[]> {
    return rows<OAuthClient>(
      manager,
      `DELETE FROM clients WHERE client_key IN (
         SELECT c.client_key FROM clients c JOIN client_documents d USING (client_key)
          WHERE c.review = 'unreviewed' AND d.expires_at < now() - interval '1 hour'
            AND (c.last_used_at IS NULL OR c.last_used_at < now() - interval '90 days')
            AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.client_key = c.client_key)
            AND NOT EXISTS (SELECT 1 FROM consents s WHERE s.client_key = c.client_key)
          LIMIT $1 FOR UPDATE OF c SKIP LOCKED)
       RETURNING ${CLIENT_COLUMNS}`,
      [limit],
    );
  }

  /** Clients that the site created, newest first, after the client `after`. */
  madeAtSite(siteId: string, limit: number, after: string | null): Promise<OAuthClient[]> {
    return this.sql.query<OAuthClient>(MADE_AT_SITE, [siteId, limit, after]);
  }
}
