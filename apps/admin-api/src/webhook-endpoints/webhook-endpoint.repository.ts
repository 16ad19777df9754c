import type { MemberState, OfSite, Role } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';

type Key = Pick<WebhookEndpoint, 'site_id' | 'id'>;
type SealedSecrets = Key & Pick<WebhookEndpoint, 'sealed_secret' | 'previous_sealed_secret'>;

interface Standing {
  readonly state: MemberState;
  readonly roles: readonly Role[];
}

const OF_ENDPOINT = `select min(event_type) from webhook_deliveries
  where site_id = $1 and endpoint_id = $2 and due_at is not null`;
/** Goes from each type to the next one, because millions of deliveries of a type can wait. */
export const WAITING_TYPES = `
  with recursive waiting (type) as (
    (${OF_ENDPOINT})
    union all
    select (${OF_ENDPOINT} and event_type > waiting.type) from waiting where waiting.type is not null)
  select type from waiting where type is not null`;

@Injectable()
export class WebhookEndpointRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Counts the endpoints of a site. Creations of a site wait for each other. */
  async count(tx: EntityManager, { site_id }: OfSite): Promise<number> {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`webhook_endpoints ${site_id}`]);
    const text = 'select count(*)::int as count from webhook_endpoints where site_id = $1';
    const [row] = await tx.query<{ count: number }[]>(text, [site_id]);
    return row?.count ?? 0;
  }

  /** Locks the member against a change of roles. Undefined for a member whose event is still on its way. */
  async standing(tx: EntityManager, { site_id }: OfSite, member_id: string): Promise<Standing | undefined> {
    const [row] = await tx.query<Standing[]>(
      'select state, roles from members where site_id = $1 and id = $2 for share',
      [site_id, member_id],
    );
    return row;
  }

  /** Adds the queue of a new endpoint, which is empty. */
  async addQueue(tx: EntityManager, { site_id, id }: Key): Promise<void> {
    await tx.query('insert into webhook_queues (site_id, endpoint_id) values ($1, $2)', [site_id, id]);
  }

  /** Sends what waits from now on, and forgets earlier failures and a turn that is running. */
  async wake(tx: EntityManager, { site_id, id }: Key): Promise<void> {
    await tx.query(
      `update webhook_queues
       set due_at = date_trunc('milliseconds', now()), failing_since = null, held_until = null, leased_until = null
       where site_id = $1 and endpoint_id = $2`,
      [site_id, id],
    );
  }

  /** Looks for deliveries at once, also when the receiver asked for a pause. */
  async makeDue(tx: EntityManager, { site_id, id }: Key): Promise<void> {
    await tx.query(
      `update webhook_queues set due_at = date_trunc('milliseconds', now()), held_until = null
       where site_id = $1 and endpoint_id = $2`,
      [site_id, id],
    );
  }

  /** The types of the deliveries that wait. */
  async waitingTypes(tx: EntityManager, { site_id, id }: Key): Promise<string[]> {
    const rows = await tx.query<{ type: string }[]>(WAITING_TYPES, [site_id, id]);
    return rows.map(({ type }) => type);
  }

  /** Sends nothing until `wake`. */
  async rest(tx: EntityManager, { site_id, id }: Key): Promise<void> {
    await tx.query('update webhook_queues set due_at = null where site_id = $1 and endpoint_id = $2', [site_id, id]);
  }

  /** Ids of the endpoints that a member created. */
  ofCreator(tx: EntityManager, { site_id }: OfSite, member_id: string): Promise<Key[]> {
    return tx.query<Key[]>(
      'select site_id, id from webhook_endpoints where site_id = $1 and created_by = $2 order by id',
      [site_id, member_id],
    );
  }

  /** At most `limit` endpoints of a client whose deletion they do not show yet. Null: of all sites. */
  ofClient(tx: EntityManager, site_id: string | null, client_id: string, limit: number): Promise<Key[]> {
    return tx.query<Key[]>(
      `select site_id, id from webhook_endpoints
       where client_id = $1 and state <> 'paused' and ($2::uuid is null or site_id = $2)
         and (reason is null or reason not in ('creator_lost_access', 'client_deleted'))
       order by site_id, id limit $3`,
      [client_id, site_id, limit],
    );
  }

  /** Replaces the sealed secrets of the next endpoints after the key, and returns the keys of these. */
  reseal(after: Key, limit: number, reseal: (key: Key, sealed: Buffer) => Buffer): Promise<Key[]> {
    return this.dataSource.transaction(async (tx) => {
      const found = await tx.query<SealedSecrets[]>(
        `select site_id, id, sealed_secret, previous_sealed_secret from webhook_endpoints
         where (site_id, id) > ($1, $2) order by site_id, id limit $3 for update`,
        [after.site_id, after.id, limit],
      );
      for (const row of found) {
        const { site_id, id, sealed_secret, previous_sealed_secret: previous } = row;
        const sealed = [reseal(row, sealed_secret), previous === null ? null : reseal(row, previous)];
        await tx.query(
          `update webhook_endpoints set sealed_secret = $3, previous_sealed_secret = $4
           where site_id = $1 and id = $2`,
          [site_id, id, ...sealed],
        );
      }
      return found;
    });
  }

  /** Deletes secrets whose time is over. */
  async forgetPrevious(): Promise<void> {
    await this.dataSource.query(
      `update webhook_endpoints set previous_sealed_secret = null, previous_secret_until = null
       where previous_secret_until <= now()`,
    );
  }
}
