import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { ExternalClient, ExternalClientFilter } from './external-client.js';

const COLUMNS = `client_key, client_id, name, source, coalesce(review, 'unreviewed') as review, redirect_uris, created_at,
  last_used_at`;
/** A registration that was never used has no access, and housekeeping deletes it. */
const IS_EXTERNAL = `site_id = $1 and deleted_at is null
       and (source = 'document' or (source = 'loopback' and last_used_at is not null))`;

/** One row without a client if none is found. $7 is the largest number that is counted. */
const LIST = {
  name: 'external_clients',
  text: `
    with found as (
      select ${COLUMNS} from clients
       where ${IS_EXTERNAL}
         and ($2::text is null or source = $2) and ($3::text is null or coalesce(review, 'unreviewed') = $3)
         and ($4 = '' or position($4 in lower(name)) > 0 or position($4 in lower(client_id)) > 0)
         and ($5::uuid is null or client_key < $5)
       order by client_key desc limit $6),
    unreviewed as (
      select 1 from clients where ${IS_EXTERNAL} and source = 'document' and review = 'unreviewed' limit $7)
    select found.*, counted.waiting
      from (select count(*)::int as waiting from unreviewed) counted left join found on true
     order by found.client_key desc`,
};
const ONE = {
  name: 'external_client',
  text: `select ${COLUMNS} from clients where ${IS_EXTERNAL} and client_key = $2`,
};
export interface FoundClients {
  readonly clients: ExternalClient[];
  /** The number of documents without a review, at most as many as were counted. */
  readonly waiting: number;
}

type FoundRow = { readonly waiting: number } & (ExternalClient | { readonly client_key: null });

@Injectable()
export class ExternalClientsRepository {
  constructor(private readonly sql: Sql) {}

  /** Newest first, after the client `after`. */
  async list(
    siteId: string,
    { text, source, review }: ExternalClientFilter,
    { after, limit, counted }: { readonly after: string | null; readonly limit: number; readonly counted: number },
  ): Promise<FoundClients> {
    const values = [siteId, source ?? null, review ?? null, text, after, limit, counted];
    const rows = await this.sql.query<FoundRow>(LIST, values);
    const clients = rows.flatMap(({ waiting: _counted, ...row }) => (row.client_key === null ? [] : [row]));
    return { clients, waiting: rows[0]?.waiting ?? 0 };
  }

  async one(siteId: string, clientKey: string): Promise<ExternalClient | undefined> {
    const [row] = await this.sql.query<ExternalClient>(ONE, [siteId, clientKey]);
    return row;
  }
}
