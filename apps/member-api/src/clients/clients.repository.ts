import { Injectable } from '@nestjs/common';
import { clientEvents } from '@lyceum/contracts';
import { ReadModel, Consumes, writeNewest } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { rowsOf } from '#src/read-models/rows-of.js';
import { originsOf } from './origin.policy.js';

type ClientEvent = EventOf<[typeof clientEvents]>;

const ORIGINS = {
  name: 'client_origins',
  text: `select distinct unnest(origins) as origin from clients
         where active and (site_id = $1 or site_id is null)`,
};

const ofMembers = (events: readonly ClientEvent[]): ClientEvent[] =>
  events.filter(({ data }) => data.audience === 'member');

@Injectable()
@ReadModel('clients')
export class ClientsRepository {
  constructor(private readonly database: Sql) {}

  /** Clients of operators have no origins here, and most of them are registrations that are soon deleted. */
  @Consumes(clientEvents, 'clients', { table: 'clients' })
  async apply(events: readonly ClientEvent[], tx: EntityManager): Promise<void> {
    await writeNewest(
      tx,
      { table: 'clients', key: ['client_key'] },
      rowsOf(ofMembers(events), ['client_key', 'site_id'], ({ state, redirect_uris }) => ({
        active: state === 'active',
        origins: originsOf(redirect_uris),
      })),
    );
  }

  /** Origins of the member clients of the site. */
  async originsAt(siteId: string): Promise<readonly string[]> {
    const rows = await this.database.query<{ origin: string }>(ORIGINS, [siteId]);
    return rows.map(({ origin }) => origin);
  }
}
