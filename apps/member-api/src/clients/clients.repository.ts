import { Injectable } from '@nestjs/common';
import { clientEvents } from '@lyceum/contracts';
import { ReadModel, Consumes, writeNewest } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { originsOf } from './origin.policy.js';

type ClientEvent = EventOf<[typeof clientEvents]>;

const ORIGINS = {
  name: 'client_origins',
  text: `select distinct unnest(origins) as origin from clients
         where active and (site_id = $1 or site_id is null)`,
};

@Injectable()
@ReadModel('clients')
export class ClientsRepository {
  constructor(private readonly database: Sql) {}

  @Consumes(clientEvents, 'clients', { table: 'clients' })
  async apply(events: readonly ClientEvent[], tx: EntityManager): Promise<void> {
    await writeNewest(
      tx,
      { table: 'clients', key: ['client_key'] },
      events.map(({ data, epoch, aggregate_version: version }) => ({
        client_key: data.client_key,
        epoch,
        version,
        site_id: data.site_id,
        active: data.state === 'active' && data.audience === 'member',
        origins: originsOf(data.redirect_uris),
      })),
    );
  }

  /** Origins of the member clients of the site. */
  async originsAt(siteId: string): Promise<readonly string[]> {
    const rows = await this.database.query<{ origin: string }>(ORIGINS, [siteId]);
    return rows.map(({ origin }) => origin);
  }
}
