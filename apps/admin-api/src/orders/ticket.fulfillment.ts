import type { OfSite } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TicketSaleService } from '#src/event-registrations/ticket-sale.service.js';
import type { Fulfillment, LockedItem, Sale, Sold } from './fulfillment.js';
import { buyerOf } from './fulfillment.policy.js';

/** Registers the student for the event of a ticket. */
@Injectable()
export class TicketFulfillment implements Fulfillment {
  readonly item_type = 'ticket';
  // The state of the event decides at the payment, also of an order that was pending.
  readonly items = { table: 'event_tickets', hasExternalId: true, parent: 'event_id', withdrawn: 'false' };
  readonly countable = false;

  constructor(private readonly tickets: TicketSaleService) {}

  /** Locks the events: the order of the tickets is not that of their events. */
  async lock(site: OfSite, items: readonly LockedItem[], tx: EntityManager): Promise<readonly string[]> {
    const ids = items.map(({ id }) => id);
    await this.tickets.lock(site, ids, tx);
    return [];
  }

  sell(site: OfSite, sales: readonly Sale[], tx: EntityManager): Promise<readonly string[]> {
    const lines = sales.map(({ item_id: ticket_id, quantity }) => ({ ticket_id, quantity }));
    return this.tickets.sell(site, buyerOf(sales), lines, tx);
  }

  takeBack(site: OfSite, { order_id, item_id: ticket_id }: Sold, tx: EntityManager): Promise<boolean> {
    return this.tickets.takeBack(site, { order_id, ticket_id }, tx);
  }
}
