import { Sql, preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCKED_EVENTS, EVENT_DUE } from './event.listing.js';

/** The key of an event. */
export interface EventKey {
  readonly site_id: string;
  readonly id: string;
}

const DUE = {
  name: 'events_due',
  text: `select site_id, id from events where ${CLOCKED_EVENTS} and ${EVENT_DUE} <= $1 order by ${EVENT_DUE} limit $2`,
};

const EXISTS = { name: 'events_exists', text: 'select 1 from events where site_id = $1 and id = $2' };

const COUNT = {
  name: 'events_count',
  text: 'update events set registrations_count = registrations_count + $3 where site_id = $1 and id = $2',
};

@Injectable()
export class EventRepository {
  constructor(private readonly sql: Sql) {}

  /** Events of all sites whose state changes by the clock, or whose registrations are not settled. */
  due(now: Date, limit: number): Promise<EventKey[]> {
    return this.sql.query<EventKey>(DUE, [now, limit]);
  }

  async exists({ site_id, id }: EventKey): Promise<boolean> {
    return (await this.sql.query(EXISTS, [site_id, id])).length > 0;
  }

  /** Adds to the taken places of a locked event. The version stays, because counting is not an edit. */
  async count(tx: EntityManager, { site_id, id }: EventKey, by: number): Promise<void> {
    await preparedQuery(tx, COUNT, [site_id, id, by]);
  }

  /** Waits for transactions that record pending orders of the tickets, so the deletion sees their lines. */
  async lockTicketsForDeletion(tx: EntityManager, { site_id, id }: EventKey): Promise<void> {
    await tx.query('select 1 from event_tickets where site_id = $1 and event_id = $2 order by id for update', [
      site_id,
      id,
    ]);
  }

  async markUnsettled(tx: EntityManager, { site_id, id }: EventKey, unsettled: boolean): Promise<void> {
    await tx.query('update events set unsettled = $3 where site_id = $1 and id = $2 and unsettled <> $3', [
      site_id,
      id,
      unsettled,
    ]);
  }
}
