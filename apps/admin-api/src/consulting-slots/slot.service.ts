import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, Written } from '@lyceum/collections';
import { consultingSlotEvents } from '@lyceum/contracts';
import type { SlotReference } from '@lyceum/contracts';
import { ApiError, errorOr } from '@lyceum/errors';
import type { Republication } from '@lyceum/messaging';
import { uuidv7 } from '@lyceum/platform';
import { changedColumns, iso, listBelow } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { actsForSite } from '#src/access/administrator.policy.js';
import { ofOwnSlots } from '#src/access/teacher.fence.js';
import { ConsultingServiceService } from '#src/consulting-services/consulting-service.service.js';
import { Followers } from '#src/followers/followers.js';
import { Slot } from './slot.entity.js';
import { endOf, lecturerOf, overlapping, requireChangeable, requireFree, requireTimes } from './slot.policy.js';
import { SlotRepository } from './slot.repository.js';
import type { NewSlot } from './slot.repository.js';
import { slot as resource } from './slot.schema.js';
import type { SlotCreate, SlotListQuery, SlotPatch } from './slot.schema.js';

interface OfService {
  readonly consulting_service_id: string;
}

type Used = ReadonlyMap<string | null, Slot | undefined>;

/** Owners and admins create slots for all lecturers; a teacher creates own slots. */
@Injectable()
export class SlotService {
  /** Notified after a change of times or `join_url`, or a cancellation. Bookings follow. */
  readonly changed = new Followers<Slot>();
  readonly #slots: SiteStore<Slot, typeof consultingSlotEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: SlotRepository,
    private readonly services: ConsultingServiceService,
  ) {
    this.#slots = stores.of({
      entity: Slot,
      resource,
      fence: ofOwnSlots,
      unique: { consulting_slots_external_id: 'external_id' },
      events: consultingSlotEvents,
      data: (row) => ({
        slot_id: row.id,
        site_id: row.site_id,
        consulting_service_id: row.consulting_service_id,
        lecturer_id: row.lecturer_id,
        starts_at: iso(row.starts_at),
        ends_at: iso(row.ends_at),
        capacity: row.capacity,
        state: row.state,
      }),
    });
  }

  list(caller: Caller, query: SlotListQuery, of: OfService): Promise<Page<Slot>> {
    return listBelow(this.#slots.list(caller, query, { ...of }), () =>
      this.services.get(caller, of.consulting_service_id),
    );
  }

  /** Returns a slot. @throws `not_found` */
  get(caller: Caller, id: string, of: Partial<OfService> = {}, tx?: EntityManager): Promise<Slot> {
    return this.#slots.get(caller, id, { ...of }, tx);
  }

  /** Returns the slot that a command names. @throws `not_found` */
  async referred(caller: Caller, reference: SlotReference, tx: EntityManager): Promise<Slot> {
    return (await this.#slots.find(caller, reference, tx)) ?? this.#slots.missing();
  }

  /** Locks a slot whose bookings change. Callers lock slots before purchases, several in the order of their ids. */
  lock(tx: EntityManager, caller: Caller, id: string): Promise<Slot> {
    return this.#slots.lock(tx, caller, id);
  }

  /** Adds to the booked places of a locked slot. */
  count(tx: EntityManager, slot: Slot, by: number): Promise<void> {
    return this.repository.count(tx, slot, by);
  }

  async create(
    caller: Caller,
    { consulting_service_id }: OfService,
    input: SlotCreate,
    tx: EntityManager,
  ): Promise<Created<Slot>> {
    const [slot] = await this.#decide(caller, { consulting_service_id }, [input], tx);
    if (slot === undefined) throw new Error('A slot has no result');
    if (slot instanceof ApiError) throw slot;
    return this.#slots.insert(tx, caller, slot, 'created');
  }

  /** Creates slots as `create` does, with a fixed number of statements. Returns the error of each refused item. */
  async createAll(
    caller: Caller,
    of: OfService,
    items: readonly SlotCreate[],
    tx: EntityManager,
  ): Promise<readonly (Created<Slot> | ApiError)[]> {
    const decided = await this.#decide(caller, of, items, tx, await this.#used(caller, items, tx));
    const accepted = decided.filter(isSlot);
    const rows = await this.repository.insert(tx, caller, accepted);
    for (const row of rows.values()) await this.#slots.publish(tx, row, 'created');
    return decided.map((one) => {
      if (one instanceof ApiError) return one;
      const row = rows.get(one.id);
      return row === undefined
        ? errorOr(() => this.#slots.taken('external_id'))
        : { row, changed: true, created: true };
    });
  }

  /** @throws `invalid_state` for a canceled slot, too low a capacity, or a lecturer with another session */
  patch(
    caller: Caller,
    { consulting_service_id, ...key }: Key & OfService,
    patch: SlotPatch,
    tx: EntityManager,
  ): Promise<Written<Slot>> {
    return this.#slots.change(tx, caller, { ...key, within: { consulting_service_id } }, async (slot) => {
      const changes = await this.#changesOf(caller, slot, patch, tx);
      if (changes === undefined) return undefined;
      const isMoved = 'starts_at' in changes || 'ends_at' in changes || 'join_url' in changes;
      return { event: 'updated', changes, ...(isMoved && { after: (_tx, row) => this.changed.notify(tx, row) }) };
    });
  }

  async #changesOf(caller: Caller, slot: Slot, patch: SlotPatch, tx: EntityManager) {
    const service = await this.services.terms(tx, { site_id: caller.site_id }, slot.consulting_service_id);
    const wanted = patch.lecturer_id === undefined ? slot.lecturer_id : patch.lecturer_id;
    const lecturer_id = wanted === slot.lecturer_id ? wanted : lecturerOf(wanted, service);
    const given = {
      ...patch,
      ...(patch.lecturer_id === undefined ? {} : { lecturer_id }),
      ...(patch.ends_at === null ? { ends_at: endOf({ starts_at: patch.starts_at ?? slot.starts_at }, service) } : {}),
    };
    const changes = changedColumns(slot, given, resource);
    if (changes === undefined) return undefined;
    requireChangeable(slot, changes.capacity);
    const next = Object.assign({}, slot, changes);
    requireTimes(next);
    const members = await this.repository.lockLecturers(tx, caller, lecturersOf([next]));
    requireOwn(caller, next, members);
    requireFree((await this.repository.others(tx, caller, [next], next.id)).get(0));
    return changes;
  }

  /** Cancels the slot with its bookings, and returns their sessions. */
  async cancel(
    caller: Caller,
    { consulting_service_id, ...key }: Key & OfService,
    tx: EntityManager,
  ): Promise<Written<Slot>> {
    const within = { consulting_service_id };
    const written = await this.#slots.change(tx, caller, { ...key, within }, ({ state }) =>
      state === 'canceled'
        ? undefined
        : {
            event: 'canceled',
            changes: { state: 'canceled' },
            after: (_tx, slot) => this.changed.notify(tx, slot),
          },
    );
    return written.changed ? { ...written, row: await this.#slots.lock(tx, caller, key.id, within) } : written;
  }

  republication(): Republication<typeof consultingSlotEvents> {
    return this.#slots.republication();
  }

  /** The slots of the site with external ids of the items, by external id. Undefined: the fence hides the slot. */
  async #used(caller: Caller, items: readonly SlotCreate[], tx: EntityManager): Promise<Used> {
    const named = items.flatMap(({ external_id }) => external_id ?? []);
    if (named.length === 0) return new Map();
    const used = await this.#slots.findBy({ site_id: caller.site_id }, 'external_id', named, tx);
    if (used.length === 0) return new Map();
    const ids = used.map(({ id }) => id);
    const seen = await this.#slots.findAll(caller, ids, tx);
    return new Map(used.map(({ id, external_id }) => [external_id, seen.get(id)]));
  }

  /** The slots that may be made, in the order of the items, with the errors of the others. Locks their lecturers. */
  async #decide(
    caller: Caller,
    { consulting_service_id }: OfService,
    items: readonly SlotCreate[],
    tx: EntityManager,
    used: Used = new Map(),
  ): Promise<readonly (NewSlot | ApiError)[]> {
    const service = await this.services.openTerms(tx, caller, consulting_service_id, 'get slots');
    const slots = items.map((input) =>
      errorOr((): NewSlot => {
        const slot = {
          ...input,
          id: uuidv7(),
          ends_at: endOf(input, service),
          lecturer_id: lecturerOf(input.lecturer_id, service),
          consulting_service_id,
          join_url: input.join_url ?? service.join_url,
        };
        requireTimes(slot);
        return slot;
      }),
    );
    const valid = slots.filter(isSlot);
    const members = await this.repository.lockLecturers(tx, caller, lecturersOf(valid));
    const others = await this.repository.others(tx, caller, valid);
    const accepted: NewSlot[] = [];
    return slots.map((slot) => {
      if (slot instanceof ApiError) return slot;
      return errorOr(() => {
        requireOwn(caller, slot, members);
        const isUsed = (id: string): boolean => used.has(id) || accepted.some((one) => one.external_id === id);
        if (slot.external_id !== null && isUsed(slot.external_id)) {
          this.#slots.taken('external_id', used.get(slot.external_id));
        }
        requireFree(others.get(valid.indexOf(slot)) ?? accepted.find((one) => overlapping(one, slot)));
        accepted.push(slot);
        return slot;
      });
    });
  }
}

const isSlot = (one: NewSlot | ApiError): one is NewSlot => !(one instanceof ApiError);

const lecturersOf = (slots: readonly Pick<Slot, 'lecturer_id'>[]): string[] =>
  slots.flatMap(({ lecturer_id }) => lecturer_id ?? []);

/** @throws `forbidden` for a teacher who would hold a session in the name of another lecturer */
function requireOwn(
  caller: Caller,
  { lecturer_id }: Pick<Slot, 'lecturer_id'>,
  members: ReadonlyMap<string, string | null>,
): void {
  if (actsForSite(caller) || (lecturer_id !== null && members.get(lecturer_id) === caller.member_id)) return;
  throw new ApiError('forbidden', 'A lecturer makes and changes own slots only');
}
