import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, Written } from '@lyceum/collections';
import { consultingBookingEvents } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { Republication } from '@lyceum/messaging';
import { changedColumns, copyOf, iso, listBelow } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ofOwnBookings } from '#src/access/teacher.fence.js';
import { ConsultingPurchaseService } from '#src/consulting-purchases/consulting-purchase.service.js';
import type { ConsultingTerms } from '#src/consulting-services/consulting-service.entity.js';
import { ConsultingServiceService } from '#src/consulting-services/consulting-service.service.js';
import type { Slot } from '#src/consulting-slots/slot.entity.js';
import { SlotService } from '#src/consulting-slots/slot.service.js';
import { REVISION } from '#src/students/row-of-student.js';
import type { Student } from '#src/students/student.entity.js';
import { Booking } from './booking.entity.js';
import {
  isInTime,
  moveOf,
  requireBegun,
  requireInTime,
  requireFirstBooking,
  requirePlace,
  requireSameService,
  requireScheduled,
  requireToCome,
} from './booking.policy.js';
import type { BookingMove } from './booking.policy.js';
import { BOOKING_PARTS, BookingRepository } from './booking.repository.js';
import { booking as resource } from './booking.schema.js';
import type { BookingCreate, BookingListQuery, BookingPatch } from './booking.schema.js';
import { atSlot } from './moved-booking.js';
import type { OfAnySlot, OfSlot } from './moved-booking.js';

/** Rules and error pointers of the surface that calls: the operator API, or the storefront for members. */
export interface BookingEdge {
  readonly by: 'operator' | 'member';
  readonly purchase: string;
  readonly slot: string;
  readonly unknown: 'not_found' | 'validation_failed';
}

interface Wanted extends OfSlot {
  readonly purchase: { readonly id: string } | { readonly external_id: string };
  /** The student who must have the purchase. Undefined: any student. */
  readonly student_id?: string;
  /** Absent: a command of the storefront, which has none. */
  readonly own?: Pick<BookingCreate, 'external_id' | 'metadata'>;
}

/**
 * Books places in slots. Each change locks slots in the order of their ids, then purchases, then bookings. So two
 * bookings never take one place or one session, and changes do not deadlock.
 */
@Injectable()
export class BookingService implements OnModuleInit {
  readonly #bookings: SiteStore<Booking, typeof consultingBookingEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: BookingRepository,
    private readonly slots: SlotService,
    private readonly purchases: ConsultingPurchaseService,
    private readonly services: ConsultingServiceService,
  ) {
    this.#bookings = stores.of({
      entity: Booking,
      // Events name the person and the address; lists do not show them.
      resource: copyOf(resource, { details: Object.keys(BOOKING_PARTS) }),
      fence: ofOwnBookings,
      computed: { ...BOOKING_PARTS, revision: REVISION },
      unique: { consulting_bookings_external_id: 'external_id' },
      events: consultingBookingEvents,
      data: (row) => ({
        booking_id: row.id,
        site_id: row.site_id,
        slot_id: row.slot_id,
        purchase_id: row.purchase_id,
        consulting_service_id: row.consulting_service_id,
        person_id: row.person_id,
        starts_at: iso(row.starts_at),
        ends_at: iso(row.ends_at),
        state: row.state,
        join_url: row.join_url,
      }),
    });
    purchases.republished.add((tx, student) => this.#republish(tx, student));
  }

  onModuleInit(): void {
    this.slots.changed.add((tx, slot) =>
      slot.state === 'canceled' ? this.#cancelAll(tx, slot) : this.#follow(tx, slot),
    );
  }

  list(caller: Caller, query: BookingListQuery, of: OfSlot): Promise<Page<Booking>> {
    return listBelow(this.#bookings.list(caller, query, { ...of }), () => this.slots.get(caller, of.slot_id));
  }

  get(caller: Caller, id: string, of: Partial<OfSlot> = {}, tx?: EntityManager): Promise<Booking> {
    return this.#bookings.get(caller, id, { ...of }, tx);
  }

  /** @throws `invalid_state` without a place in the slot or a session of the purchase */
  async book(caller: Caller, wanted: Wanted, tx: EntityManager, edge: BookingEdge): Promise<Created<Booking>> {
    const now = new Date();
    const slot = await this.slots.lock(tx, caller, wanted.slot_id);
    await this.#requireOpen(tx, slot);
    requirePlace(slot);
    if (edge.by === 'member') requireToCome(slot, now);
    const { consulting_service_id } = slot;
    const purchase = await this.purchases.lock(tx, caller, wanted.purchase, { consulting_service_id });
    if (purchase === undefined || (wanted.student_id ?? purchase.student_id) !== purchase.student_id) {
      throw new ApiError(edge.unknown, 'The service has no such purchase', {
        errors: [{ pointer: edge.purchase, code: 'not_found', detail: 'A purchase of the service of the slot' }],
      });
    }
    requireFirstBooking(await this.repository.has(tx, slot, purchase.id));
    await this.purchases.use(tx, purchase, now);
    await this.slots.count(tx, slot, 1);
    const { id: purchase_id, student_id, person_id } = purchase;
    const { id: slot_id, starts_at, ends_at, join_url } = slot;
    const parts = { person_id, join_url };
    const place = {
      slot_id,
      starts_at,
      ends_at,
      purchase_id,
      student_id,
      consulting_service_id,
      ...wanted.own,
      ...parts,
    };
    return this.#bookings.insert(tx, caller, place, 'booked');
  }

  /** Changes the data of the school. */
  patch(
    caller: Caller,
    { slot_id, ...key }: Key & OfSlot,
    patch: BookingPatch,
    tx: EntityManager,
  ): Promise<Written<Booking>> {
    return this.#bookings.change(tx, caller, { ...key, within: { slot_id } }, (row) => {
      const changes = changedColumns(row, patch, resource);
      return changes && { event: 'updated', changes };
    });
  }

  /** Moves a booking to a place in another slot. The session stays used. */
  move(
    caller: Caller,
    key: Key & OfAnySlot,
    to: OfSlot,
    tx: EntityManager,
    edge: Pick<BookingEdge, 'by' | 'slot'>,
  ): Promise<Written<Booking>> {
    const find = () => this.get(caller, key.id, {}, tx);
    return atSlot(tx, key, find, (inner, of) => this.#move(caller, { ...key, ...of }, to, inner, edge));
  }

  async #move(
    caller: Caller,
    key: Key & OfSlot,
    to: OfSlot,
    tx: EntityManager,
    edge: Pick<BookingEdge, 'by' | 'slot'>,
  ): Promise<Written<Booking>> {
    const now = new Date();
    const locked = new Map<string, Slot>();
    for (const id of [...new Set([key.slot_id, to.slot_id])].toSorted())
      locked.set(id, await this.slots.lock(tx, caller, id));
    const [slot, target] = [locked.get(key.slot_id), locked.get(to.slot_id)] as [Slot, Slot];
    const row = await this.#bookings.lock(tx, caller, key.id, { slot_id: slot.id });
    this.#bookings.requireMatch(row, key);
    requireScheduled(row.state);
    if (target.id === slot.id) return { row, changed: false };
    requireSameService(slot, target, edge.slot);
    const { cancel_notice_hours } = await this.#requireOpen(tx, target);
    requirePlace(target);
    if (edge.by === 'member') {
      requireInTime({ starts_at: slot.starts_at, cancel_notice_hours }, now);
      requireToCome(target, now);
    }
    requireFirstBooking(await this.repository.has(tx, target, row.purchase_id));
    await this.slots.count(tx, slot, -1);
    await this.slots.count(tx, target, 1);
    const { id: slot_id, starts_at, ends_at } = target;
    const changes = { slot_id, starts_at, ends_at };
    return this.#bookings.change(tx, caller, row, () => ({ event: 'moved', changes }));
  }

  /** Returns the session to the purchase if the cancellation is in time: see `isInTime`. */
  cancel(
    caller: Caller,
    key: Key & OfAnySlot,
    tx: EntityManager,
    edge: Pick<BookingEdge, 'by'>,
  ): Promise<Written<Booking>> {
    const find = () => this.get(caller, key.id, {}, tx);
    return atSlot(tx, key, find, (inner, of) => this.#cancel(caller, { ...key, ...of }, inner, edge));
  }

  async #cancel(
    caller: Caller,
    key: Key & OfSlot,
    tx: EntityManager,
    { by }: Pick<BookingEdge, 'by'>,
  ): Promise<Written<Booking>> {
    const now = new Date();
    const slot = await this.slots.lock(tx, caller, key.slot_id);
    const terms = await this.services.terms(tx, { site_id: slot.site_id }, slot.consulting_service_id);
    const returned = isInTime({ ...terms, starts_at: slot.starts_at }, now);
    const purchase_id = await this.repository.purchaseOf(tx, slot, key.id);
    if (purchase_id !== undefined) await this.purchases.lock(tx, caller, { id: purchase_id }, slot);
    const written = await this.#change(caller, key, 'cancel', tx, (row) => {
      if (by === 'member') requireToCome(row, now);
      return { canceled_at: now, session_returned: returned };
    });
    if (!written.changed) return written;
    await this.slots.count(tx, slot, -1);
    if (returned) await this.purchases.returnSessions(tx, caller, [written.row.purchase_id]);
    return written;
  }

  /** Records whether the student came. Corrects an earlier record. */
  attend(
    caller: Caller,
    key: Key & OfSlot,
    name: Exclude<BookingMove, 'cancel'>,
    tx: EntityManager,
  ): Promise<Written<Booking>> {
    return this.#change(caller, key, name, tx, (row) => {
      requireBegun(row, new Date());
      return {};
    });
  }

  republication(): Republication<typeof consultingBookingEvents> {
    return this.#bookings.republication();
  }

  /** Returns the booking that a command names. @throws `not_found` */
  async referred(caller: Caller, id: string, tx: EntityManager): Promise<Booking> {
    return (await this.#bookings.find(caller, { id }, tx)) ?? this.#bookings.missing();
  }

  /** Publishes all bookings of a student again, with the current person. */
  async #republish(tx: EntityManager, student: Pick<Student, 'site_id' | 'id'>): Promise<void> {
    const touched = await this.repository.touchAll(tx, student, student.id);
    for (const row of touched) await this.#bookings.publish(tx, row, 'linked');
  }

  #change(
    caller: Caller,
    { slot_id, ...key }: Key & OfSlot,
    name: BookingMove,
    tx: EntityManager,
    more: (row: Booking) => Partial<Booking>,
  ): Promise<Written<Booking>> {
    return this.#bookings.change(tx, caller, { ...key, within: { slot_id } }, (row) => {
      const rule = moveOf(row.state, name);
      return rule && { event: rule.event, changes: { state: rule.to, ...more(row) } };
    });
  }

  async #cancelAll(tx: EntityManager, slot: Slot): Promise<void> {
    await this.purchases.lockBooked(tx, slot);
    const canceled = await this.repository.cancelAll(tx, slot);
    if (canceled.length === 0) return;
    await this.slots.count(tx, slot, -canceled.length);
    for (const row of canceled) await this.#bookings.publish(tx, row, 'canceled', undefined, ['state', 'canceled_at']);
    const ids = canceled.map(({ purchase_id }) => purchase_id);
    await this.purchases.returnSessions(tx, slot, ids);
  }

  async #follow(tx: EntityManager, slot: Slot): Promise<void> {
    const changed = await this.repository.follow(tx, slot);
    for (const row of changed) await this.#bookings.publish(tx, row, 'updated', undefined, ['starts_at', 'ends_at']);
  }

  /** Reads the service without the fence, because the lecturer of the slot may have left the service. */
  #requireOpen(tx: EntityManager, { site_id, consulting_service_id }: Slot): Promise<ConsultingTerms> {
    return this.services.openTerms(tx, { site_id }, consulting_service_id, 'be booked');
  }
}
