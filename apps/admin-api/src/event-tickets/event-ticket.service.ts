import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, Written } from '@lyceum/collections';
import type { EntityEvents, TicketReference } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { changedColumns, listBelow } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { forAdministrators } from '#src/access/administrator.policy.js';
import type { Event } from '#src/events/event.entity.js';
import { stateAt } from '#src/events/event.policy.js';
import { EventService } from '#src/events/event.service.js';
import { keepOrdered } from '#src/pending-orders/ordered-item.js';
import { pendingLines } from '#src/pending-orders/pending-lines.js';
import { lockForDeletion } from '#src/references/lock-for-deletion.js';
import { requireCurrency } from '#src/school/currency.policy.js';
import { SchoolService } from '#src/school/school.service.js';
import { EventTicket } from './event-ticket.entity.js';
import { positionAfter, requireCapacity, requireOnSale } from './event-ticket.policy.js';
import type { Sold, TicketTerms } from './event-ticket.policy.js';
import { EventTicketRepository } from './event-ticket.repository.js';
import type { TicketOfEvent } from './event-ticket.repository.js';
import { eventTicket as resource } from './event-ticket.schema.js';
import type { EventTicketCreate, EventTicketListQuery, EventTicketPatch } from './event-ticket.schema.js';

interface OfEvent {
  readonly event_id: string;
}

/** Tickets are parts of their event, which publishes their changes. Each change locks the event first. */
@Injectable()
export class EventTicketService {
  readonly #tickets: SiteStore<EventTicket, EntityEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: EventTicketRepository,
    private readonly events: EventService,
    private readonly schools: SchoolService,
  ) {
    this.#tickets = stores.of({
      entity: EventTicket,
      resource,
      fence: forAdministrators('manage tickets'),
      unique: { event_tickets_external_id: 'external_id' },
      publishWith: async (tx, tickets) => {
        for (const ticket of tickets) await this.events.publishTickets(tx, ticket);
      },
    });
  }

  list(caller: Caller, query: EventTicketListQuery, of: OfEvent): Promise<Page<EventTicket>> {
    return listBelow(this.#tickets.list(caller, query, { ...of }), () =>
      this.events.requireExisting(caller, of.event_id),
    );
  }

  get(caller: Caller, id: string, of: Partial<OfEvent> = {}, tx?: EntityManager): Promise<EventTicket> {
    return this.#tickets.get(caller, id, { ...of }, tx);
  }

  /** Returns the ticket that an order or a command names. */
  referred(site: Caller, reference: TicketReference, tx: EntityManager): Promise<EventTicket | undefined> {
    return this.#tickets.find(site, reference, tx);
  }

  async create(
    caller: Caller,
    of: OfEvent,
    input: EventTicketCreate,
    tx: EntityManager,
  ): Promise<Created<EventTicket>> {
    const { tickets } = await this.#lockEvent(tx, caller, of);
    requireCurrency(input.price, await this.schools.currency(caller, tx));
    const last = positionAfter(tickets);
    return this.#tickets.insert(tx, caller, { ...input, ...of, position: input.position ?? last }, 'created');
  }

  /** @throws `resource_in_use` when a pending order loses what it names or buys of the ticket */
  async patch(
    caller: Caller,
    { event_id, ...key }: Key & OfEvent,
    patch: EventTicketPatch,
    tx: EntityManager,
  ): Promise<Written<EventTicket>> {
    const event = await this.#lockEvent(tx, caller, { event_id });
    const currency = await this.schools.currency(caller, tx);
    const within = { event_id };
    const written = await this.#tickets.change(tx, caller, { ...key, within }, async (ticket) => {
      const changes = changedColumns(ticket, patch, resource);
      if (changes === undefined) return undefined;
      if (changes.price !== undefined) requireCurrency(changes.price, currency);
      requireCapacity(Object.assign({}, ticket, changes));
      await keepOrdered(tx, 'event_tickets', ticket, changes);
      return { event: 'updated', changes };
    });
    if (!written.changed || patch.capacity === undefined) return written;
    await this.events.changed.notify(tx, await this.events.lock(tx, caller, event.id));
    return { ...written, row: await this.#tickets.lock(tx, caller, key.id, within) };
  }

  /** @throws `resource_in_use` for a ticket that a registration or a pending order names */
  async remove(caller: Caller, { event_id, ...key }: Key & OfEvent, tx: EntityManager): Promise<Written<EventTicket>> {
    await this.#lockEvent(tx, caller, { event_id });
    await lockForDeletion(tx, 'event_tickets', { site_id: caller.site_id, id: key.id });
    const error = new ApiError('resource_in_use', 'Registrations or pending orders name the ticket', {
      hint: 'Lower its capacity to the sold places instead',
    });
    const sql = `exists (select 1 from event_registrations r
      where r.site_id = $1 and r.event_id = event_tickets.event_id and r.ticket_id = $2)
      or ${pendingLines('= $2')}`;
    return this.#tickets.remove(tx, caller, { ...key, within: { event_id } }, { sql, error });
  }

  /** Returns the tickets of a locked event by their ids. */
  async terms(tx: EntityManager, event: Event): Promise<ReadonlyMap<string, TicketTerms>> {
    return new Map((await this.repository.terms(tx, event, [event.id])).map((ticket) => [ticket.id, ticket]));
  }

  /** Returns the tickets of locked events. */
  termsOfAll(
    tx: EntityManager,
    site: Pick<Caller, 'site_id'>,
    event_ids: readonly string[],
  ): Promise<readonly TicketOfEvent[]> {
    return this.repository.terms(tx, site, event_ids);
  }

  /** Adds to the sold places of tickets of locked events. */
  async count(tx: EntityManager, site: Pick<Caller, 'site_id'>, sold: readonly Sold[]): Promise<void> {
    if (sold.length > 0) await this.repository.count(tx, site, sold);
  }

  async #lockEvent(tx: EntityManager, caller: Caller, { event_id }: OfEvent): Promise<Event> {
    const event = await this.events.lock(tx, caller, event_id);
    requireOnSale(stateAt(event, new Date()));
    return event;
  }
}
