import { SiteStores } from '@lyceum/collections';
import type { OfSite } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import { together } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EventTicketService } from '#src/event-tickets/event-ticket.service.js';
import type { Event } from '#src/events/event.entity.js';
import { stateAt } from '#src/events/event.policy.js';
import { EventService } from '#src/events/event.service.js';
import type { EventRegistration } from './registration.entity.js';
import { Places, takesPlace } from './registration.policy.js';
import { RegistrationRepository } from './registration.repository.js';
import { registrationStore } from './registration.store.js';
import type { RegistrationStore } from './registration.store.js';

/** Registrations that one transaction moves. The clock goes on with the others. */
const SETTLED = 200;

/** Counts the places of a locked event, moves its waiting list up, and cancels registrations with their event. */
@Injectable()
export class SeatingService implements OnModuleInit {
  readonly #registrations: RegistrationStore;

  constructor(
    stores: SiteStores,
    private readonly repository: RegistrationRepository,
    private readonly events: EventService,
    private readonly tickets: EventTicketService,
    private readonly outbox: Outbox,
  ) {
    this.#registrations = registrationStore(stores);
  }

  onModuleInit(): void {
    this.events.changed.add((tx, event) => this.#settle(tx, event));
  }

  /** Returns the free places of a locked event. */
  async places(tx: EntityManager, event: Event): Promise<Places> {
    return new Places(event, await this.tickets.terms(tx, event));
  }

  /** Returns the free places of locked events, by event. */
  async placesOf(
    tx: EntityManager,
    site: OfSite,
    events: readonly Pick<Event, 'id' | 'capacity' | 'registrations_count'>[],
  ): Promise<ReadonlyMap<string, Places>> {
    const ids = events.map(({ id }) => id);
    const byEvent = Map.groupBy(await this.tickets.termsOfAll(tx, site, ids), ({ event_id }) => event_id);
    return new Map(
      events.map((event) => {
        const terms = byEvent.get(event.id) ?? [];
        return [event.id, new Places(event, new Map(terms.map((ticket) => [ticket.id, ticket])))];
      }),
    );
  }

  /** Counts the places that registrations took, by event. */
  async takeAll(tx: EntityManager, site: OfSite, places: ReadonlyMap<string, Places>): Promise<void> {
    const taken = [...places].map(([id, { taken: by }]) => ({ id, by })).filter(({ by }) => by > 0);
    const sold = [...places.values()].flatMap((one) => one.sold);
    await together([this.events.countAll(tx, site, taken), this.tickets.count(tx, site, sold)]);
  }

  /** Counts the places that registrations took. */
  async take(tx: EntityManager, event: Event, { taken, sold }: Pick<Places, 'taken' | 'sold'>): Promise<void> {
    await together([this.events.count(tx, event, taken), this.tickets.count(tx, event, sold)]);
  }

  /** Frees the places that registrations had before their cancellation, and gives them to the waiting list. */
  async free(
    tx: EntityManager,
    event: Event,
    left: readonly Pick<EventRegistration, 'state' | 'ticket_id'>[],
  ): Promise<void> {
    const had = left.filter(({ state }) => takesPlace(state));
    if (had.length === 0) return;
    await this.#settle(tx, await this.#discount(tx, event, had));
  }

  /** Moves at most `limit` events to the state of the current time. Returns the number of events it read. */
  async followClock(limit: number): Promise<number> {
    const due = await this.events.due(new Date(), limit);
    for (const key of due) {
      // Another replica may have been quicker: then nothing is left to do.
      await this.outbox.transaction(async (tx) => this.#settle(tx, await this.events.follow(tx, key, new Date())));
    }
    return due.length;
  }

  async #settle(tx: EntityManager, event: Event): Promise<void> {
    const state = stateAt(event, new Date());
    const isPending =
      state === 'canceled'
        ? await this.#cancelSome(tx, event)
        : (state === 'published' || state === 'live') && (await this.#promote(tx, event));
    if (isPending) await this.events.leaveUnsettled(tx, event, [event.id]);
  }

  /** Returns true when the waiting list may have more registrations for a place. */
  async #promote(tx: EntityManager, event: Event): Promise<boolean> {
    const places = await this.places(tx, event);
    if (places.isFull) return false;
    const waiting = await this.repository.waiting(tx, event, SETTLED);
    const promoted = waiting.filter(({ ticket_id }) => places.take(ticket_id));
    if (promoted.length === 0) return false;
    const rows = await this.repository.promote(
      tx,
      event,
      promoted.map(({ id }) => id),
    );
    await this.take(tx, event, places);
    for (const row of rows) await this.#registrations.publish(tx, row, 'registered', undefined, ['state']);
    return waiting.length === SETTLED && !places.isFull;
  }

  /** Returns true when the canceled event may have more registrations. */
  async #cancelSome(tx: EntityManager, event: Event): Promise<boolean> {
    const rows = await this.repository.cancelSome(tx, event, SETTLED);
    const had = rows.filter(({ was }) => takesPlace(was));
    await this.#discount(tx, event, had);
    for (const row of rows) {
      const changed = ['state', ...(row.was === 'checked_in' ? ['checked_in_at'] : []), 'canceled_at'];
      await this.#registrations.publish(tx, row, 'canceled', undefined, changed);
    }
    return rows.length === SETTLED;
  }

  async #discount(
    tx: EntityManager,
    event: Event,
    left: readonly Pick<EventRegistration, 'ticket_id'>[],
  ): Promise<Event> {
    const byTicket = [...Map.groupBy(left, ({ ticket_id }) => ticket_id)];
    const sold = byTicket.flatMap(([id, of]) => (id === null ? [] : [{ id, by: -of.length }]));
    await this.tickets.count(tx, event, sold);
    return this.events.count(tx, event, -left.length);
  }
}
