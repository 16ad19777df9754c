import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, Written } from '@lyceum/collections';
import type { eventRegistrationEvents } from '@lyceum/contracts';
import { ApiError, errorOr } from '@lyceum/errors';
import type { Republication } from '@lyceum/messaging';
import { uuidv7 } from '@lyceum/platform';
import { changedColumns, listBelow } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { EventService } from '#src/events/event.service.js';
import type { Student } from '#src/students/student.entity.js';
import { requireActiveStudent } from '#src/students/student.policy.js';
import type { StudentState } from '#src/students/student.policy.js';
import { StudentService } from '#src/students/student.service.js';
import type { EventRegistration } from './registration.entity.js';
import {
  canWait,
  moveOf,
  refuseSoldOut,
  requireAttendable,
  requireCancelable,
  requireFree,
  requireOpen,
  ticketOf,
} from './registration.policy.js';
import type { Places, RegistrationMove } from './registration.policy.js';
import { RegistrationRepository } from './registration.repository.js';
import type { NewRegistration } from './registration.repository.js';
import { eventRegistration as resource } from './registration.schema.js';
import type { RegistrationCreate, RegistrationListQuery, RegistrationPatch } from './registration.schema.js';
import { registrationStore } from './registration.store.js';
import type { RegistrationStore } from './registration.store.js';
import { SeatingService } from './seating.service.js';

interface OfEvent {
  readonly event_id: string;
}

/** Rules and error pointers of the surface that calls: the operator API, or the storefront for members. */
export interface RegistrationEdge {
  readonly by: 'operator' | 'member';
  readonly event: string;
  readonly student: string;
  readonly ticket: string;
}

/** A tool call has no metadata. */
type Wanted = Omit<RegistrationCreate, 'metadata'> & Partial<Pick<RegistrationCreate, 'metadata'>>;

/**
 * Registers students for events. Each change locks students in the order of their ids, then the event, then its
 * registrations. So an event is never above its capacity, and changes do not deadlock.
 */
@Injectable()
export class RegistrationService {
  readonly #registrations: RegistrationStore;

  constructor(
    stores: SiteStores,
    private readonly repository: RegistrationRepository,
    private readonly seating: SeatingService,
    private readonly events: EventService,
    private readonly students: StudentService,
  ) {
    this.#registrations = registrationStore(stores);
    students.linked.add((tx, student) => this.#republish(tx, student));
    students.erased.add((tx, student) => this.#republish(tx, student));
    // The waiting list passed the student over meanwhile. The clock moves it up.
    students.restored.add(async (tx, student) =>
      this.events.leaveUnsettled(tx, student, await this.repository.waitingFor(tx, student, student.id)),
    );
  }

  list(caller: Caller, query: RegistrationListQuery, of: OfEvent): Promise<Page<EventRegistration>> {
    return listBelow(this.#registrations.list(caller, query, { ...of }), () =>
      this.events.requireExisting(caller, of.event_id),
    );
  }

  get(caller: Caller, id: string, of: Partial<OfEvent> = {}, tx?: EntityManager): Promise<EventRegistration> {
    return this.#registrations.get(caller, id, { ...of }, tx);
  }

  /** Returns the registration that a command names. @throws `not_found` */
  async referred(site: Caller, id: string, tx: EntityManager): Promise<EventRegistration> {
    return (await this.#registrations.find(site, { id }, tx)) ?? this.#registrations.missing();
  }

  /** Idempotent: a registration that is not canceled stays as it is. */
  async register(
    caller: Caller,
    of: OfEvent,
    wanted: Wanted,
    tx: EntityManager,
    edge: RegistrationEdge,
  ): Promise<Created<EventRegistration>> {
    const [outcome] = await this.registerAll(caller, of, [wanted], tx, edge);
    if (outcome === undefined) throw new Error('A registration has no result');
    if (outcome instanceof ApiError) throw outcome;
    return outcome;
  }

  /** Registers students as `register` does, with a fixed number of statements. Refused ones get their errors. */
  async registerAll(
    caller: Caller,
    { event_id }: OfEvent,
    items: readonly Wanted[],
    tx: EntityManager,
    edge: RegistrationEdge,
  ): Promise<readonly (Created<EventRegistration> | ApiError)[]> {
    requireAdministrator(caller, 'register students');
    const now = new Date();
    const ids = items.map(({ student_id }) => student_id);
    const students = await this.students.lockAll(caller, ids, tx);
    const event = await this.events.lock(tx, caller, event_id);
    requireOpen(event, edge.by, now, edge.event);
    const places = await this.seating.places(tx, event);
    const waits = canWait(event, now);
    // The clock has not moved the waiting list up yet: its students were first.
    const queues = waits && !places.isFull && (await this.events.isUnsettled(tx, event));
    const open = await this.repository.open(tx, event, ids);
    const keys = items.flatMap(({ external_id }) => external_id ?? []);
    const used = new Map<string, EventRegistration | undefined>(await this.repository.used(tx, caller, keys));
    const fresh = new Map<string, NewRegistration>();
    const decided = items.map((item) =>
      errorOr(() => {
        const { student_id, external_id } = item;
        requireKnown(students.get(student_id), edge.student);
        const known = open.get(student_id) ?? fresh.get(student_id);
        if (known !== undefined) return { student_id, isRepeated: true };
        if (external_id !== null && used.has(external_id)) {
          this.#registrations.taken('external_id', used.get(external_id));
        }
        const state = placed(item, places, { waits, queues }, edge);
        if (external_id !== null) used.set(external_id, undefined);
        const rest = { id: uuidv7(), state, order_id: null, registered_at: now.toISOString() };
        fresh.set(student_id, { ...item, ...rest, metadata: item.metadata ?? {} });
        return { student_id, isRepeated: false };
      }),
    );
    const inserted = await this.repository.insert(tx, event, [...fresh.values()]);
    if (inserted.size < fresh.size) this.#registrations.taken('external_id');
    await this.seating.take(tx, event, places);
    for (const row of inserted.values()) {
      await this.#registrations.publish(tx, row, row.state === 'waitlisted' ? 'waitlisted' : 'registered');
    }
    return decided.map((one) => {
      if (one instanceof ApiError) return one;
      const row = inserted.get(one.student_id) ?? open.get(one.student_id);
      if (row === undefined) throw new Error('A registration was decided and not written');
      return { row, changed: !one.isRepeated, created: !one.isRepeated };
    });
  }

  /** Changes the data of the school. */
  patch(
    caller: Caller,
    { event_id, ...key }: Key & OfEvent,
    patch: RegistrationPatch,
    tx: EntityManager,
  ): Promise<Written<EventRegistration>> {
    return this.#registrations.change(tx, caller, { ...key, within: { event_id } }, (row) => {
      const changes = changedColumns(row, patch, resource);
      return changes && { event: 'updated', changes };
    });
  }

  /** Frees the place, which goes to the first of the waiting list in the same transaction. */
  async cancel(
    caller: Caller,
    { event_id, ...key }: Key & OfEvent,
    tx: EntityManager,
    { by }: Pick<RegistrationEdge, 'by'>,
  ): Promise<Written<EventRegistration>> {
    const now = new Date();
    const event = await this.events.lock(tx, caller, event_id);
    return this.#registrations.change(tx, caller, { ...key, within: { event_id } }, (row) => {
      const rule = moveOf(row.state, 'cancel');
      if (rule === undefined) return undefined;
      if (by === 'member') requireCancelable(row, event, now);
      const changes = { state: rule.to, canceled_at: now };
      return { event: rule.event, changes, after: () => this.seating.free(tx, event, [row]) };
    });
  }

  /** Records whether the student came. Corrects an earlier record. */
  async attend(
    caller: Caller,
    { event_id, ...key }: Key & OfEvent,
    name: Exclude<RegistrationMove, 'cancel'>,
    tx: EntityManager,
  ): Promise<Written<EventRegistration>> {
    const now = new Date();
    const event = await this.events.lock(tx, caller, event_id);
    return this.#registrations.change(tx, caller, { ...key, within: { event_id } }, (row) => {
      const rule = moveOf(row.state, name);
      if (rule === undefined) return undefined;
      requireAttendable(event, name, now);
      return { event: rule.event, changes: { state: rule.to, checked_in_at: rule.to === 'checked_in' ? now : null } };
    });
  }

  republication(): Republication<typeof eventRegistrationEvents> {
    return this.#registrations.republication();
  }

  /** Publishes all registrations of a student again, with the current person. */
  async #republish(tx: EntityManager, student: Pick<Student, 'site_id' | 'id'>): Promise<void> {
    const touched = await this.repository.touchAll(tx, student, student.id);
    for (const row of touched) await this.#registrations.publish(tx, row, 'linked');
  }
}

/** @throws `validation_failed` for an unknown student; `invalid_state` for a removed one */
function requireKnown(state: StudentState | undefined, pointer: string): void {
  if (state !== undefined) return requireActiveStudent(state);
  throw new ApiError('validation_failed', 'The site has no such student', {
    errors: [{ pointer, code: 'not_found', detail: 'A student of the site' }],
  });
}

/** Takes a place, or the end of the waiting list. @throws `validation_failed` or `invalid_state` */
function placed(
  { ticket_id }: Wanted,
  places: Places,
  { waits, queues }: { readonly waits: boolean; readonly queues: boolean },
  edge: RegistrationEdge,
): 'registered' | 'waitlisted' {
  const ticket = ticketOf(ticket_id, places.tickets, edge.ticket);
  if (edge.by === 'member') requireFree(ticket, edge.ticket);
  if (!queues && places.take(ticket_id)) return 'registered';
  return waits ? 'waitlisted' : refuseSoldOut(edge.ticket);
}
