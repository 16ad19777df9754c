import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, Written } from '@lyceum/collections';
import { consultingPurchaseEvents } from '@lyceum/contracts';
import { valuesOf } from '@lyceum/errors';
import type { Republication } from '@lyceum/messaging';
import { changedColumns, copyOf, iso, listBelow } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { ofOwnConsultingServices } from '#src/access/teacher.fence.js';
import { expiryOf } from '#src/consulting-services/consulting-service.policy.js';
import { ConsultingServiceService } from '#src/consulting-services/consulting-service.service.js';
import { Followers } from '#src/followers/followers.js';
import { REVISION } from '#src/students/row-of-student.js';
import type { Student } from '#src/students/student.entity.js';
import { requireActiveStudent } from '#src/students/student.policy.js';
import { StudentService } from '#src/students/student.service.js';
import { ConsultingPurchase } from './consulting-purchase.entity.js';
import {
  givesMore,
  requireExtendable,
  requireLater,
  requireSession,
  requireUnbooked,
  sessionsAfter,
  stateAt,
} from './consulting-purchase.policy.js';
import type { RefundedUnits } from './consulting-purchase.policy.js';
import { ConsultingPurchaseRepository, PERSON } from './consulting-purchase.repository.js';
import { consultingPurchase as resource } from './consulting-purchase.schema.js';
import type {
  ConsultingPurchaseCreate,
  ConsultingPurchaseListQuery,
  ConsultingPurchasePatch,
} from './consulting-purchase.schema.js';

interface OfService {
  readonly consulting_service_id: string;
}

/** The buyer of sessions. */
interface Buying {
  readonly student_id: string;
  /** When the order was paid. */
  readonly at: Date;
  /** True: the order was recorded before its payment. */
  readonly wasPending?: boolean;
  /** Makes a decision about a line of the order. Its error names the line. */
  readonly each: <T>(index: number, decide: () => T) => T;
}

/** A line of an order that sells sessions: those of one purchase, as often as the quantity says. */
interface SoldSessions extends OfService {
  readonly quantity: number;
}

/** Sessions of students. Teachers read the purchases of own services; owners and admins grant and revoke them. */
@Injectable()
export class ConsultingPurchaseService {
  /** Notified after the purchases of a student were published again. Bookings follow. */
  readonly republished = new Followers<Pick<Student, 'site_id' | 'id'>>();
  readonly #purchases: SiteStore<ConsultingPurchase, typeof consultingPurchaseEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: ConsultingPurchaseRepository,
    private readonly services: ConsultingServiceService,
    private readonly students: StudentService,
  ) {
    this.#purchases = stores.of({
      entity: ConsultingPurchase,
      // Events name the person; lists do not show it.
      resource: copyOf(resource, { details: ['person_id'] }),
      fence: ofOwnConsultingServices('consulting_service_id'),
      computed: { person_id: PERSON, revision: REVISION },
      unique: { consulting_purchases_external_id: 'external_id' },
      events: consultingPurchaseEvents,
      data: (row) => ({
        purchase_id: row.id,
        site_id: row.site_id,
        person_id: row.person_id,
        consulting_service_id: row.consulting_service_id,
        state: stateAt(row, new Date()),
        purchased_at: iso(row.purchased_at),
        expires_at: iso(row.expires_at),
        sessions_total: row.sessions_total,
        sessions_used: row.sessions_used,
      }),
    });
    students.linked.add((tx, student) => this.#republish(tx, student));
    students.erased.add((tx, student) => this.#republish(tx, student));
  }

  list(caller: Caller, query: ConsultingPurchaseListQuery, of: OfService): Promise<Page<ConsultingPurchase>> {
    return listBelow(this.#purchases.list(caller, query, { ...of }), () =>
      this.services.get(caller, of.consulting_service_id),
    );
  }

  get(caller: Caller, id: string, of: Partial<OfService> = {}, tx?: EntityManager): Promise<ConsultingPurchase> {
    return this.#purchases.get(caller, id, { ...of }, tx);
  }

  async grant(
    caller: Caller,
    of: OfService,
    { sessions_total, expires_at, ...input }: ConsultingPurchaseCreate,
    tx: EntityManager,
  ): Promise<Created<ConsultingPurchase>> {
    const service = await this.services.openTerms(tx, caller, of.consulting_service_id, 'get purchases');
    requireAdministrator(caller, 'grant sessions');
    const now = new Date();
    requireLater(expires_at ?? null, now);
    const { state, person_id } = await this.students.lock(caller, input.student_id, tx);
    requireActiveStudent(state);
    const purchase = {
      ...input,
      ...of,
      person_id,
      purchased_at: now,
      expires_at: expires_at === undefined ? expiryOf(service, now) : expires_at,
      sessions_total: sessions_total ?? service.sessions_included,
    };
    return this.#purchases.insert(tx, caller, purchase, 'granted');
  }

  /**
   * Makes a purchase for each line of a paid order, with the terms of its service. Returns the ids of the purchases.
   *
   * @throws `not_found`; `invalid_state` for an archived service or a removed student
   */
  async sell(
    site: Pick<Caller, 'site_id'>,
    { student_id, at, wasPending, each }: Buying,
    lines: readonly SoldSessions[],
    tx: EntityManager,
  ): Promise<readonly string[]> {
    const { state } = await this.students.held(site, student_id, tx);
    const ids = lines.map(({ consulting_service_id }) => consulting_service_id);
    const termsOf = await this.services.saleTerms(tx, site, ids, wasPending);
    const purchases = lines.map(({ consulting_service_id, quantity }, index) =>
      each(index, () => {
        requireActiveStudent(state);
        const service = termsOf(consulting_service_id);
        const terms = { expires_at: expiryOf(service, at), sessions_total: quantity * service.sessions_included };
        return { consulting_service_id, student_id, purchased_at: at, ...terms };
      }),
    );
    const made = await this.#purchases.insertAll(tx, site, purchases, 'granted');
    return valuesOf(made).map(({ row }) => row.id);
  }

  /**
   * Revokes the purchase of a refunded order. A revoked one stays.
   *
   * @throws `resource_in_use` while a session is booked
   */
  async takeBack(site: Pick<Caller, 'site_id'>, { id }: { readonly id: string }, tx: EntityManager): Promise<void> {
    await this.#purchases.change(tx, site, { id }, (row) => this.#revocation(tx, row));
  }

  /**
   * Takes the unused sessions of refunded units from a purchase. The rest stays usable.
   *
   * @throws `resource_in_use` if one of these sessions is booked: its cancellation would give it back
   */
  async takeUnits(
    site: Pick<Caller, 'site_id'>,
    { id, ...units }: { readonly id: string } & RefundedUnits,
    tx: EntityManager,
  ): Promise<void> {
    await this.#purchases.change(tx, site, { id }, async (row) => {
      if (row.state === 'revoked') return undefined;
      const left = sessionsAfter(row, units);
      if (left < row.sessions_used) requireUnbooked(await this.repository.isBooked(tx, row));
      const sessions_total = Math.max(left, row.sessions_used);
      if (sessions_total === row.sessions_total) return undefined;
      return { event: 'updated', changes: { sessions_total } };
    });
  }

  /**
   * Changes the end, the number of sessions, or the data of the school.
   *
   * @throws `invalid_state` for a removed student who would get more
   */
  async extend(
    caller: Caller,
    { consulting_service_id, ...key }: Key & OfService,
    patch: ConsultingPurchasePatch,
    tx: EntityManager,
  ): Promise<Written<ConsultingPurchase>> {
    return this.#purchases.change(tx, caller, { ...key, within: { consulting_service_id } }, async (purchase) => {
      // After the fence: a purchase that the caller cannot see is a 404, not a 403.
      requireAdministrator(caller, 'change purchases');
      const changes = changedColumns(purchase, patch, resource);
      if (changes === undefined) return undefined;
      requireExtendable(purchase, changes.sessions_total);
      if (changes.expires_at !== undefined) requireLater(changes.expires_at, new Date());
      if (givesMore(purchase, changes)) await this.#requireActive(tx, purchase);
      const isExtended = changes.expires_at !== undefined || changes.sessions_total !== undefined;
      return { event: isExtended ? 'extended' : 'updated', changes };
    });
  }

  /** @throws `resource_in_use` while a session is booked */
  async revoke(
    caller: Caller,
    { consulting_service_id, ...key }: Key & OfService,
    tx: EntityManager,
  ): Promise<Written<ConsultingPurchase>> {
    // After the fence: a purchase that the caller cannot see is a 404, not a 403.
    const row = await this.#purchases.lock(tx, caller, key.id, { consulting_service_id });
    requireAdministrator(caller, 'revoke purchases');
    this.#purchases.requireMatch(row, key);
    return this.#purchases.change(tx, caller, row, () => this.#revocation(tx, row));
  }

  /** Without a lock: changes of a student lock the student before the purchases. @throws `invalid_state` */
  async #requireActive(tx: EntityManager, { site_id, student_id: id }: ConsultingPurchase): Promise<void> {
    requireActiveStudent((await this.students.referred({ site_id }, { id }, tx)).state);
  }

  /** @throws `resource_in_use` while a session is booked */
  async #revocation(tx: EntityManager, row: ConsultingPurchase) {
    if (row.state === 'revoked') return undefined;
    requireUnbooked(await this.repository.isBooked(tx, row));
    return { event: 'revoked', changes: { state: 'revoked' } } as const;
  }

  /** Locks the purchase that a booking names, after its slot. Returns undefined for a purchase of another service. */
  lock(
    tx: EntityManager,
    { site_id }: Caller,
    key: { readonly id: string } | { readonly external_id: string },
    { consulting_service_id }: OfService,
  ): Promise<ConsultingPurchase | undefined> {
    return this.#purchases.findLocked(tx, { site_id }, { ...key, consulting_service_id });
  }

  /** Uses one session of a locked purchase. @throws `invalid_state` if none is left, or the student was removed */
  async use(tx: EntityManager, purchase: ConsultingPurchase, now: Date): Promise<void> {
    requireSession(purchase, now);
    await this.#requireActive(tx, purchase);
    const { site_id } = purchase;
    const changes = { sessions_used: purchase.sessions_used + 1 };
    await this.#purchases.change(tx, { site_id }, purchase, () => ({ event: 'updated', changes }));
  }

  /** Locks the purchases with a scheduled booking in a locked slot, before these bookings are locked. */
  lockBooked(tx: EntityManager, slot: { readonly site_id: string; readonly id: string }): Promise<void> {
    return this.repository.lockBooked(tx, slot);
  }

  /** Returns one session to each of these locked purchases. An id may occur several times. */
  async returnSessions(tx: EntityManager, site: Caller, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const returned = await this.repository.returnSessions(tx, site, ids);
    for (const row of returned) await this.#purchases.publish(tx, row, 'updated', undefined, ['sessions_used']);
  }

  republication(): Republication<typeof consultingPurchaseEvents> {
    return this.#purchases.republication();
  }

  /** Publishes all purchases of a student again, with the current person. */
  async #republish(tx: EntityManager, student: Pick<Student, 'site_id' | 'id'>): Promise<void> {
    const touched = await this.repository.touchAll(tx, student, student.id);
    for (const row of touched) await this.#purchases.publish(tx, row, 'linked');
    await this.republished.notify(tx, student);
  }
}
