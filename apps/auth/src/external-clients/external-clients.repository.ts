import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { ExternalClient, ExternalClientFilter } from './external-client.js';

const COLUMNS = `client_key, client_id, name, source, coalesce(review, 'unreviewed') as review, redirect_uris, created_at,
  last_used_at`;
/** A registration that was never used has no access, and housekeeping deletes it. */
const IS_EXTERNAL = `site_id = $1 and deleted_at is null
       and (source = 'document' or (source = 'loopback' and last_used_at is not null))`;

const LIST = {
  name: 'external_clients',
  text: `
    select ${COLUMNS} from clients
     where ${IS_EXTERNAL}
       and ($2::text is null or source = $2) and ($3::text is null or coalesce(review, 'unreviewed') = $3)
       and ($4 = '' or position($4 in lower(name)) > 0 or position($4 in lower(client_id)) > 0)
       and ($5::uuid is null or client_key < $5)
     order by client_key desc limit $6`,
};
const ONE = {
  name: 'external_client',
  text: `select ${COLUMNS} from clients where ${IS_EXTERNAL} and client_key = $2`,
};
const WAITING = {
  name: 'external_clients_waiting',
  text: `
    select count(*)::int as waiting from (
      select 1 from clients where ${IS_EXTERNAL} and source = 'document' and review = 'unreviewed' limit $2) found`,
};

@Injectable()
export class ExternalClientsRepository {
  constructor(private readonly sql: Sql) {}

  /** Newest first, after the client `after`. */
  list(
    siteId: string,
    { text, source, review }: ExternalClientFilter,
    after: string | null,
    limit: number,
  ): Promise<ExternalClient[]> {
    return this.sql.query<ExternalClient>(LIST, [siteId, source ?? null, review ?? null, text, after, limit]);
  }

  async one(siteId: string, clientKey: string): Promise<ExternalClient | undefined> {
    const [row] = await this.sql.query<ExternalClient>(ONE, [siteId, clientKey]);
    return row;
  }

  /** The number of documents without a review, at most `limit`. */
  async waiting(siteId: string, limit: number): Promise<number> {
    const [row] = await this.sql.query<{ waiting: number }>(WAITING, [siteId, limit]);
    return row?.waiting ?? 0;
  }
}
