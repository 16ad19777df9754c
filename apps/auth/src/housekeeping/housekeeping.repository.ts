import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';

const ENDED_JOB = `(failure IS NULL AND ended_at < now() - interval '1 day') OR (failure IS NOT NULL AND ended_at < now() - interval '31 days')`;

/**
 * Deletable rows by table: key and condition. Codes and refresh tokens stay until they expire, used ones too: otherwise
 * a replay would not be detected.
 */
const SWEEPS = {
  authorization_codes: ['code_hash', 'expires_at < now()'],
  access_tokens: ['token_hash', 'expires_at < now()'],
  refresh_tokens: ['token_hash', 'expires_at < now()'],
  interactions: ['interaction_hash', 'expires_at < now()'],
  sessions: ['session_hash', 'expires_at < now()'],
  passkey_challenges: ['challenge_hash', 'expires_at < now()'],
  email_changes: ['person_id', 'expires_at < now()'],
  password_changes: ['site_id, token_hash', 'expires_at < now()'],
  form_submissions: ['site_id, session_uid, token_hash', 'expires_at < now()'],
  invitations: ['token_hash', `expires_at < now() - interval '30 days'`],
  // A dead job stays for a month, for the command that retries it.
  mails: ['site_id, mail_id', ENDED_JOB],
  password_reset_requests: ['site_id, request_id', ENDED_JOB],
  email_link_requests: ['site_id, request_id', ENDED_JOB],
  email_links: ['token_hash', 'expires_at < now()'],
  member_requests: ['site_id, request_id', `created_at < now() - interval '1 day'`],
  sign_in_attempts: ['attempt_key', `last_at < now() - interval '1 day'`],
  consents: ['person_id, client_key, site_id, resource', 'expires_at < now()'],
  // An hour is far more than an authorization takes: a grant without a code or token after it never gets one.
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

@Injectable()
export class HousekeepingRepository {
  constructor(private readonly sql: Sql) {}

  /** Limited per batch; rows that are locked or swept by another replica are left for the next run. */
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
}
