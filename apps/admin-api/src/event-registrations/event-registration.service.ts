import { SiteStores } from '@lyceum/collections';
import type { Caller } from '@lyceum/collections';
import { ApiError } from '@lyceum/errors';
import { uuidv7 } from '@lyceum/platform';
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

type Site = Pick<Caller, 'site_id'>;

/** A line of an order that buys a ticket. */
interface TicketSale {
  readonly ticket_id: string;
  readonly student_id: string;
  readonly order_id: string;
  readonly quantity: number;
  readonly at: Date;
}

const [ITEM, QUANTITY] = ['/item_id', '/quantity'];

/** Registrations that orders buy and take back. Errors point to members of the line of the order. */
@Injectable()
export class EventRegistrationService {
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
  async lock(site: Site, ticket_ids: readonly string[], tx: EntityManager): Promise<void> {
    const event_ids = new Set<string>();
    for (const id of ticket_ids) {
      const event_id = await this.seating.eventOf(site, id, tx);
      if (event_id !== undefined) event_ids.add(event_id);
    }
    for (const id of [...event_ids].toSorted()) await this.events.lock(tx, site, id);
  }

  /**
   * Registers the buyer of a ticket. A buyer on the waiting list gets a place; the same order again changes nothing.
   *
   * @throws `not_found` for an unknown ticket; `validation_failed` for another quantity than 1; `invalid_state` when
   *   the event is not open, sold out (`sold_out`), or the student has a place (`already_exists`)
   */
  async sell(
    site: Site,
    { ticket_id, student_id, order_id, quantity, at }: TicketSale,
    tx: EntityManager,
  ): Promise<{ readonly id: string }> {
    if (quantity !== 1) {
      throw new ApiError('validation_failed', 'A student has one place at an event', {
        errors: [{ pointer: QUANTITY, code: 'invalid_value', detail: 'Must be 1' }],
      });
    }
    const event_id = await this.seating.eventOf(site, ticket_id, tx);
    if (event_id === undefined) {
      throw new ApiError('not_found', 'This site has no such ticket', {
        errors: [{ pointer: ITEM, code: 'not_found', detail: 'A ticket of an event' }],
      });
    }
    const student = await this.students.held(site, student_id, tx);
    requireActiveStudent(student.state);
    const event = await this.events.lock(tx, site, event_id);
    const known = (await this.repository.open(tx, event, [student_id])).get(student_id);
    if (known?.order_id === order_id) return known;
    requireOpen(event, 'member', at, ITEM);
    if (known !== undefined && known.state !== 'waitlisted') refuseSecond();
    const places = await this.seating.places(tx, event);
    // The ticket may have been deleted before the event was locked.
    if (!places.tickets.has(ticket_id) || !places.take(ticket_id)) return refuseSoldOut(ITEM);
    const bought = { ticket_id, order_id, source: 'order' as const, state: 'registered' as const };
    const id = known?.id ?? uuidv7();
    if (known === undefined) {
      const rest = { external_id: null, metadata: {}, registered_at: at.toISOString() };
      const rows = await this.repository.insert(tx, event, [{ ...bought, ...rest, id, student_id }]);
      for (const row of rows.values()) await this.#registrations.publish(tx, row, 'registered');
    } else {
      await this.#registrations.change(tx, site, known, () => ({ event: 'registered', changes: bought }));
    }
    await this.seating.take(tx, event, places);
    return { id };
  }

  /**
   * Cancels the registrations that an order made, with one ticket or with all. Their places go to the waiting list.
   * Returns false if a registration stays, because its attendance is recorded.
   */
  async takeBack(
    site: Site,
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
}

function refuseSecond(): never {
  throw new ApiError('invalid_state', 'The student has a place at the event', {
    errors: [{ pointer: ITEM, code: 'already_exists', detail: 'A student has one place at an event' }],
  });
}
