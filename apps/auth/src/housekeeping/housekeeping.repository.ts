import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';

/**
 * What may go, by table: key, and condition. Codes and refresh tokens stay until they expire, also used ones: without
 * them a replay would not be seen.
 */
const SWEEPS = {
  authorization_codes: ['code_hash', 'expires_at < now()'],
  access_tokens: ['token_hash', 'expires_at < now()'],
  refresh_tokens: ['token_hash', 'expires_at < now()'],
  interactions: ['interaction_hash', 'expires_at < now()'],
  sessions: ['session_hash', 'expires_at < now()'],
  invitations: ['token_hash', `expires_at < now() - interval '30 days'`],
  sign_in_attempts: ['attempt_key', `last_at < now() - interval '1 day'`],
  consents: ['person_id, client_key, site_id, resource', 'expires_at < now()'],
  rate_limits: ['limit_key, window_start', `window_start < now() - interval '1 hour'`],
  // An hour is far more than any authorization takes: what has no code or token by then never gets one.
  grants: [
    'grant_id',
    `created_at < now() - interval '1 hour'
       AND NOT EXISTS (SELECT 1 FROM refresh_tokens t WHERE t.grant_id = swept.grant_id)
       AND NOT EXISTS (SELECT 1 FROM access_tokens t WHERE t.grant_id = swept.grant_id)
       AND NOT EXISTS (SELECT 1 FROM authorization_codes t WHERE t.grant_id = swept.grant_id)`,
  ],
} as const;

export type SweptTable = keyof typeof SWEEPS;
export const SWEPT_TABLES = Object.keys(SWEEPS) as readonly SweptTable[];

/**
 * Documents that nobody has looked at, out of date for an hour and never used, or idle for 90 days. They go for good: when
 * somebody comes with such a client_id again, its document is fetched again. What was approved or blocked stays so.
 */
const IDLE_DOCUMENTS = {
  name: 'sweep_idle_documents',
  text: `
    DELETE FROM clients WHERE client_key IN (
      SELECT c.client_key FROM clients c JOIN client_documents d USING (client_key)
       WHERE c.review = 'unreviewed' AND d.expires_at < now() - interval '1 hour'
         AND (c.last_used_at IS NULL OR c.last_used_at < now() - interval '90 days')
         AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.client_key = c.client_key)
         AND NOT EXISTS (SELECT 1 FROM consents s WHERE s.client_key = c.client_key)
       LIMIT $1 FOR UPDATE OF c SKIP LOCKED)
    RETURNING 1 AS gone`,
};

@Injectable()
export class HousekeepingRepository {
  constructor(private readonly sql: Sql) {}

  /** At most so many rows; what another replica is sweeping, or somebody is using, is left for the next time. */
  async sweep(table: SweptTable, limit: number): Promise<number> {
    const [key, condition] = SWEEPS[table];
    const gone = await this.sql.query(
      {
        name: `sweep_${table}`,
        text: `DELETE FROM ${table} WHERE (${key}) IN (
                 SELECT ${key} FROM ${table} AS swept WHERE ${condition} LIMIT $1 FOR UPDATE SKIP LOCKED)
               RETURNING 1 AS gone`,
      },
      [limit],
    );
    return gone.length;
  }

  async sweepDocuments(limit: number): Promise<number> {
    return (await this.sql.query(IDLE_DOCUMENTS, [limit])).length;
  }
}
