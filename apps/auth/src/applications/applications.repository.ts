import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { ConnectedApplication } from './connected-application.js';

const CONNECTED = {
  name: 'applications_connected',
  text: `
    SELECT c.client_key, c.client_id, c.name, c.source, given.connected_at, given.used_at,
           c.source = 'loopback' OR coalesce(c.review = 'unreviewed', false) AS unverified,
           ARRAY(SELECT unnest(given.scopes) UNION SELECT unnest(s.scopes)) AS scopes
      FROM clients c
      LEFT JOIN (
        SELECT g.client_key, max(g.created_at) AS connected_at,
               greatest(max(g.created_at), to_timestamp(max((
                 SELECT max((t.payload ->> 'iat')::float8) FROM refresh_tokens t WHERE t.grant_id = g.grant_id)))) AS used_at,
               string_to_array(string_agg(g.payload #>> ARRAY['resources', t.base_url], ' '), ' ') AS scopes
          FROM grants g JOIN sites t USING (site_id)
         WHERE g.person_id = $1 AND g.site_id = $2 GROUP BY g.client_key) given USING (client_key)
      LEFT JOIN consents s ON s.client_key = c.client_key AND s.person_id = $1 AND s.site_id = $2 AND s.expires_at > now()
     WHERE c.deleted_at IS NULL AND (given.client_key IS NOT NULL OR s.client_key IS NOT NULL)
       AND c.client_key IN (SELECT client_key FROM grants WHERE person_id = $1 AND site_id = $2
                             UNION SELECT client_key FROM consents WHERE person_id = $1 AND site_id = $2)
       AND ($3::uuid IS NULL OR c.client_key = $3)
     ORDER BY given.connected_at DESC NULLS LAST, c.name, c.client_key LIMIT $4 OFFSET $5`,
};

@Injectable()
export class ApplicationsRepository {
  constructor(private readonly sql: Sql) {}

  /** The latest connected first. */
  connected(personId: string, siteId: string, limit: number, offset: number): Promise<ConnectedApplication[]> {
    return this.sql.query<ConnectedApplication>(CONNECTED, [personId, siteId, null, limit, offset]);
  }

  async one(personId: string, siteId: string, clientKey: string): Promise<ConnectedApplication | undefined> {
    const [row] = await this.sql.query<ConnectedApplication>(CONNECTED, [personId, siteId, clientKey, 1, 0]);
    return row;
  }
}
