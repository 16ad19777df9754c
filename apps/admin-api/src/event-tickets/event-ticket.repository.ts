import { preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Sold, TicketTerms } from './event-ticket.policy.js';

/** The terms of a ticket, with its event. */
export interface TicketOfEvent extends TicketTerms {
  readonly event_id: string;
}

const TERMS = {
  name: 'event_tickets_terms',
  text: `select id, event_id, name, capacity, sold_count, price_amount_minor as amount_minor from event_tickets
    where site_id = $1 and event_id = any($2::uuid[])`,
};

const COUNT = {
  name: 'event_tickets_count',
  text: `update event_tickets t set sold_count = t.sold_count + given.by
    from jsonb_to_recordset($2::jsonb) as given (id uuid, by int) where t.site_id = $1 and t.id = given.id`,
};

@Injectable()
export class EventTicketRepository {
  /** Returns the tickets of locked events. */
  terms(
    tx: EntityManager,
    { site_id }: { readonly site_id: string },
    event_ids: readonly string[],
  ): Promise<readonly TicketOfEvent[]> {
    return preparedQuery<TicketOfEvent>(tx, TERMS, [site_id, event_ids]);
  }

  /** Adds to the sold places of tickets of locked events. The version stays, because counting is not an edit. */
  async count(tx: EntityManager, { site_id }: { readonly site_id: string }, sold: readonly Sold[]): Promise<void> {
    await preparedQuery(tx, COUNT, [site_id, JSON.stringify(sold)]);
  }
}
