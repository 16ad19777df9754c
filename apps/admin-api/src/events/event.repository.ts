import { Sql, preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Event } from './event.entity.js';
import { CLOCKED_EVENTS, EVENT_DUE } from './event.listing.js';

/** The members of an event that registrations by an order need. */
export type SeatedEvent = Pick<
  Event,
  'site_id' | 'id' | 'state' | 'starts_at' | 'ends_at' | 'capacity' | 'registrations_count'
>;

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

const LOCK_OF_TICKETS = {
  name: 'events_lock_of_tickets',
  text: `select site_id, id, state, starts_at, ends_at, capacity, registrations_count from events
    where site_id = $1 and id in (select event_id from event_tickets where site_id = $1 and id = any($2::uuid[]))
    order by id for no key update`,
};

const COUNT = {
  name: 'events_count',
  text: `update events e set registrations_count = e.registrations_count + given.by
    from jsonb_to_recordset($2::jsonb) as given (id uuid, by int) where e.site_id = $1 and e.id = given.id`,
};

const UNSETTLED = { name: 'events_unsettled', text: 'select unsettled from events where site_id = $1 and id = $2' };

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

  /** Locks the events of tickets in the order of their ids. */
  lockOfTickets(
    tx: EntityManager,
    { site_id }: Pick<EventKey, 'site_id'>,
    ticket_ids: readonly string[],
  ): Promise<SeatedEvent[]> {
    return preparedQuery(tx, LOCK_OF_TICKETS, [site_id, ticket_ids]);
  }

  /** Adds to the taken places of locked events. The version stays, because counting is not an edit. */
  async count(
    tx: EntityManager,
    { site_id }: Pick<EventKey, 'site_id'>,
    taken: readonly { readonly id: string; readonly by: number }[],
  ): Promise<void> {
    await preparedQuery(tx, COUNT, [site_id, JSON.stringify(taken)]);
  }

  /** Waits for transactions that record pending orders of the tickets, so the deletion sees their lines. */
  async lockTicketsForDeletion(tx: EntityManager, { site_id, id }: EventKey): Promise<void> {
    await tx.query('select 1 from event_tickets where site_id = $1 and event_id = $2 order by id for update', [
      site_id,
      id,
    ]);
  }

  async isUnsettled(tx: EntityManager, { site_id, id }: EventKey): Promise<boolean> {
    const [row] = await preparedQuery<{ unsettled: boolean }>(tx, UNSETTLED, [site_id, id]);
    return row?.unsettled === true;
  }

  async markSettled(tx: EntityManager, { site_id, id }: EventKey): Promise<void> {
    await tx.query('update events set unsettled = false where site_id = $1 and id = $2 and unsettled', [site_id, id]);
  }

  /** Locks the events in the order of their ids, also those that the clock is about to settle. */
  async markUnsettled(
    tx: EntityManager,
    { site_id }: Pick<EventKey, 'site_id'>,
    ids: readonly string[],
  ): Promise<void> {
    await tx.query(
      `with locked as (
         select id from events where site_id = $1 and id = any ($2) order by id for no key update)
       update events e set unsettled = true from locked where e.site_id = $1 and e.id = locked.id`,
      [site_id, ids],
    );
  }
}
