import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import { LIFETIMES } from '#src/protocol/lifetimes.js';

const ENDED_JOB = `(failure IS NULL AND ended_at < now() - interval '1 day') OR (failure IS NOT NULL AND ended_at < now() - interval '31 days')`;

/** Deletable rows by table: key and condition. */
const SWEEPS = {
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
} as const;

export type SweptTable = keyof typeof SWEEPS;
export const SWEPT_TABLES = Object.keys(SWEEPS) as readonly SweptTable[];

/**
 * Tables of the codes and tokens of grants: key and condition. Used rows stay as long as others: otherwise a replay
 * would not be detected. A code that was never used ends earlier, with its grant.
 */
const OF_GRANTS = {
  authorization_codes: ['code_hash', `expires_at < now() - interval '${LIFETIMES.rememberedCode} seconds'`],
  access_tokens: ['token_hash', 'expires_at < now()'],
  refresh_tokens: ['token_hash', 'expires_at < now()'],
} as const;

export type TableOfGrants = keyof typeof OF_GRANTS;
export const TABLES_OF_GRANTS = Object.keys(OF_GRANTS) as readonly TableOfGrants[];

/** SQL: a grant without a code or token never gets one: an hour is far more than an authorization takes. */
const OLD = `created_at < now() - interval '1 hour'`;

const WITHOUT_TOKENS = TABLES_OF_GRANTS.map(
  (table) => `NOT EXISTS (SELECT FROM ${table} t WHERE t.grant_id = swept.grant_id AND t.expires_at >= now())`,
).join(' AND ');
const DELETE_WITHOUT_TOKENS = {
  name: 'sweep_grants',
  text: `DELETE FROM grants WHERE grant_id IN (
           SELECT grant_id FROM grants AS swept WHERE grant_id = ANY($1) AND ${OLD} AND ${WITHOUT_TOKENS}
           FOR UPDATE SKIP LOCKED)
         RETURNING 1 AS gone`,
};
const NEXT = {
  name: 'next_grants',
  text: `SELECT grant_id, created_at FROM grants WHERE (created_at, grant_id) > ($1, $2) AND ${OLD}
          ORDER BY created_at, grant_id LIMIT $3`,
};

/** A place in the order of creation. */
export interface GrantPlace {
  readonly grant_id: string;
  readonly created_at: Date;
}

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

  /** Returns the grants of the deleted rows. */
  async sweepOfGrants(table: TableOfGrants, limit: number): Promise<string[]> {
    const [key, condition] = OF_GRANTS[table];
    const gone = await this.sql.query<{ grant_id: string }>(
      {
        name: `sweep_${table}`,
        text: `DELETE FROM ${table} WHERE ${key} IN (
                 SELECT ${key} FROM ${table} WHERE ${condition} LIMIT $1 FOR UPDATE SKIP LOCKED)
               RETURNING grant_id`,
      },
      [limit],
    );
    return gone.map(({ grant_id }) => grant_id);
  }

  /** Deletes old ones without a code or token that is still valid. Locked ones are left out. */
  async deleteWithoutTokens(grantIds: readonly string[]): Promise<number> {
    if (grantIds.length === 0) return 0;
    return (await this.sql.query(DELETE_WITHOUT_TOKENS, [[...new Set(grantIds)]])).length;
  }

  /** The next grants that are older than an hour, in the order of their creation. */
  grantsAfter(place: GrantPlace, limit: number): Promise<GrantPlace[]> {
    return this.sql.query<GrantPlace>(NEXT, [place.created_at, place.grant_id, limit]);
  }
}
