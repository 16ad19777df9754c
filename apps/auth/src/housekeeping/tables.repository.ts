import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import { LIFETIMES } from '#src/protocol/lifetimes.js';

/** When the oldest row of a table expires, read from the end of an index. Null: its rows do not expire by a column. */
const OLDEST = {
  authorization_codes: `min(expires_at) + interval '${LIFETIMES.rememberedCode} seconds'`,
  access_tokens: 'min(expires_at)',
  refresh_tokens: 'min(expires_at)',
  interactions: 'min(expires_at)',
  sessions: 'min(expires_at)',
  consents: 'min(expires_at)',
  invitations: `min(expires_at) + interval '30 days'`,
  sign_in_attempts: `min(last_at) + interval '1 day'`,
  mails: null,
  password_reset_requests: null,
  email_link_requests: null,
  email_links: 'min(expires_at)',
  // The rate limiter deletes its own windows.
  rate_windows: null,
  grants: null,
  clients: null,
  client_documents: null,
  client_logos: null,
  profile_pictures: null,
  audit_log: null,
  inbox: null,
  outbox: null,
} as const satisfies Readonly<Record<string, string | null>>;

export interface TableState {
  readonly table: string;
  /** Estimate of the last ANALYZE. Null before the first one. */
  readonly rows: number | null;
  /** Seconds for which the oldest row has been due; 0 without one. Null where the answer would need a scan. */
  readonly overdue: number | null;
}

function line([table, oldest]: [string, string | null]): string {
  const overdue =
    oldest === null ? 'NULL' : `(SELECT greatest(0, extract(epoch FROM now() - (${oldest}))) FROM ${table})`;
  return `SELECT '${table}' AS "table", '${table}'::regclass AS id, ${overdue}::float8 AS overdue`;
}

const STATES = {
  name: 'table_states',
  // Only the partitions of a partitioned table have estimates.
  text: `SELECT t."table", t.overdue,
                (SELECT sum(nullif(c.reltuples, -1))::float8 FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
                  WHERE c.oid = t.id OR i.inhparent = t.id) AS rows
           FROM (${Object.entries(OLDEST).map(line).join(' UNION ALL ')}) AS t`,
};

@Injectable()
export class TablesRepository {
  constructor(private readonly sql: Sql) {}

  states(): Promise<TableState[]> {
    return this.sql.query<TableState>(STATES, []);
  }
}
