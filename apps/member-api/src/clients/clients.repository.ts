import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';

export interface MemberClient {
  readonly client_key: string;
  /** Null for clients of the whole deployment. */
  readonly site_id: string | null;
  readonly origins: readonly string[];
  readonly active: boolean;
}

const ORIGINS = {
  name: 'client_origins',
  text: `SELECT DISTINCT unnest(origins) AS origin FROM client
         WHERE active AND (site_id = $1 OR site_id IS NULL)`,
};

@Injectable()
export class ClientsRepository {
  constructor(private readonly database: Sql) {}

  async apply(manager: EntityManager, client: MemberClient, version: number): Promise<void> {
    await manager.query(
      `INSERT INTO client AS old (client_key, version, site_id, origins, active) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (client_key) DO UPDATE
         SET version = excluded.version, site_id = excluded.site_id, origins = excluded.origins, active = excluded.active
         WHERE old.version < excluded.version`,
      [client.client_key, version, client.site_id, client.origins, client.active],
    );
  }

  /** Origins of the member clients that people of the site can use. */
  async originsAt(siteId: string): Promise<readonly string[]> {
    const rows = await this.database.query<{ origin: string }>(ORIGINS, [siteId]);
    return rows.map(({ origin }) => origin);
  }
}
