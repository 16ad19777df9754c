import { SiteStores } from '@lyceum/collections';
import type { OfSite } from '@lyceum/contracts';
import { ApiError, valuesOf } from '@lyceum/errors';
import { together, uuidv7 } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EventService } from '#src/events/event.service.js';
import { requireActiveStudent } from '#src/students/student.policy.js';
import { StudentService } from '#src/students/student.service.js';
import type { EventRegistration } from './registration.entity.js';
import { isCancelable, refuseSoldOut, requireOpen } from './registration.policy.js';
import { RegistrationRepository } from './registration.repository.js';
import { registrationStore } from './registration.store.js';
import type { RegistrationStore } from './registration.store.js';
import { SeatingService } from './seating.service.js';

/** The buyer of tickets. */
interface Buying {
  readonly student_id: string;
  readonly order_id: string;
  readonly at: Date;
  /** Makes a decision about a line of the order. Its error names the line. */
  readonly each: <T>(index: number, decide: () => T) => T;
}

/** A line of an order that buys a ticket. */
interface TicketSale {
  readonly ticket_id: string;
  readonly quantity: number;
}

/** A place that a line takes: a new registration, or that of the buyer on the waiting list. */
interface BoughtPlace {
  readonly event_id: string;
  readonly ticket_id: string;
  readonly id: string;
  readonly isWaiting: boolean;
}

const [ITEM, QUANTITY] = ['/item_id', '/quantity'];

/** Sells tickets to orders, which register their buyers, and takes them back. Errors point to members of the line. */
@Injectable()
export class TicketSaleService {
  readonly #registrations: RegistrationStore;

  constructor(
    stores: SiteStores,
    private readonly repository: RegistrationRepository,
    private readonly seating: SeatingService,
    private readonly events: EventService,
    private readonly students: StudentService,
  ) {
    this.#registrations = registrationStore(stores);
  }

  /** Locks the events of tickets in the order of their ids. Tickets of no event are left out. */
  async lock(site: OfSite, ticket_ids: readonly string[], tx: EntityManager): Promise<void> {
    await this.events.lockOfTickets(tx, site, ticket_ids);
  }

  /**
   * Registers the buyer of tickets. A buyer on the waiting list gets a place; the same order again changes nothing.
   * Returns the ids of the registrations in the order of the lines. Lines of one event have the same.
   *
   * @throws `not_found` for an unknown ticket; `validation_failed` for another quantity than 1; `invalid_state` when
   *   the event is not open, sold out (`sold_out`), or the student has a place (`already_exists`)
   */
  async sell(site: OfSite, buyer: Buying, lines: readonly TicketSale[], tx: EntityManager): Promise<readonly string[]> {
    const { student_id, order_id, at, each } = buyer;
    const { state } = await this.students.held(site, student_id, tx);
    const ticket_ids = lines.map(({ ticket_id }) => ticket_id);
    const events = await this.events.lockOfTickets(tx, site, ticket_ids);
    const event_ids = events.map(({ id }) => id);
    const [open, places] = await together([
      this.repository.openOf(tx, site, student_id, event_ids),
      this.seating.placesOf(tx, site, events),
    ]);
    const bought = new Map<string, BoughtPlace>();
    const ids = lines.map(({ ticket_id, quantity }, index) =>
      each(index, () => {
        requireOne(quantity);
        const event = events.find(({ id }) => places.get(id)?.tickets.has(ticket_id)) ?? refuseTicket();
        requireActiveStudent(state);
        const known = open.get(event.id);
        const again = known?.order_id === order_id ? known : bought.get(event.id);
        if (again !== undefined) return again.id;
        requireOpen(event, 'order', at, ITEM);
        if (known !== undefined && known.state !== 'waitlisted') refuseSecond();
        if (places.get(event.id)?.take(ticket_id) !== true) refuseSoldOut(ITEM);
        const id = known?.id ?? uuidv7();
        bought.set(event.id, { event_id: event.id, ticket_id, id, isWaiting: known !== undefined });
        return id;
      }),
    );
    await this.#register(tx, site, buyer, [...bought.values()]);
    await this.seating.takeAll(tx, site, places);
    return ids;
  }

  /**
   * Cancels the registrations that an order made, with one ticket or with all. Their places go to the waiting list.
   * Returns false if a registration stays, because its attendance is recorded.
   */
  async takeBack(
    site: OfSite,
    order: { readonly order_id: string; readonly ticket_id?: string },
    tx: EntityManager,
  ): Promise<boolean> {
    let isWhole = true;
    const now = new Date();
    const byEvent = Map.groupBy(await this.repository.ofOrder(tx, site, order), ({ event_id }) => event_id);
    for (const [event_id, registrations] of byEvent) {
      const event = await this.events.lock(tx, site, event_id);
      const left: EventRegistration[] = [];
      for (const { id } of registrations) {
        const row = await this.#registrations.lock(tx, site, id);
        if (row.state === 'canceled') continue;
        if (!isCancelable(row.state)) {
          isWhole = false;
          continue;
        }
        const changes = { state: 'canceled' as const, canceled_at: now };
        await this.#registrations.change(tx, site, row, () => ({ event: 'canceled', changes }));
        left.push(row);
      }
      await this.seating.free(tx, event, left);
    }
    return isWhole;
  }

  /** Writes the places of a buyer. */
  async #register(
    tx: EntityManager,
    site: OfSite,
    { student_id, order_id, at }: Buying,
    bought: readonly BoughtPlace[],
  ): Promise<void> {
    const by = { order_id, source: 'order' as const, state: 'registered' as const };
    const rest = { student_id, external_id: null, metadata: {}, registered_at: at.toISOString() };
    const fresh = bought.filter(({ isWaiting }) => !isWaiting);
    const rows = await this.repository.insertAll(
      tx,
      site,
      fresh.map(({ event_id, ticket_id, id }) => ({ event_id, ticket_id, id, ...by, ...rest })),
    );
    for (const row of rows) await this.#registrations.publish(tx, row, 'registered');
    const waiting = bought.filter(({ isWaiting }) => isWaiting);
    if (waiting.length === 0) return;
    const changesOf = (_row: EventRegistration, index: number) => ({
      ...by,
      ticket_id: waiting[index]?.ticket_id ?? null,
    });
    valuesOf(await this.#registrations.changeAll(tx, site, waiting, { event: 'registered', changesOf }));
  }
}

/** @throws `validation_failed` */
function requireOne(quantity: number): void {
  if (quantity === 1) return;
  throw new ApiError('validation_failed', 'A student has one place at an event', {
    errors: [{ pointer: QUANTITY, code: 'invalid_value', detail: 'Must be 1' }],
  });
}

function refuseTicket(): never {
  throw new ApiError('not_found', 'This site has no such ticket', {
    errors: [{ pointer: ITEM, code: 'not_found', detail: 'A ticket of an event' }],
  });
}

function refuseSecond(): never {
  throw new ApiError('invalid_state', 'The student has a place at the event', {
    errors: [{ pointer: ITEM, code: 'already_exists', detail: 'A student has one place at an event' }],
  });
}
