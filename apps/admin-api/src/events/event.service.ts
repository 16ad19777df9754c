import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, UpsertRequest, Written } from '@lyceum/collections';
import { eventEvents } from '@lyceum/contracts';
import type { EventReference, OfSite } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { Republication } from '@lyceum/messaging';
import { changedColumns, isAmong, iso } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { forAdministrators, requireAdministrator } from '#src/access/administrator.policy.js';
import { Followers } from '#src/followers/followers.js';
import { Event } from './event.entity.js';
import { EVENT_TICKETS, LISTED_EVENTS, PAST_EVENTS, PENDING_TICKETS, PUBLIC_EVENTS } from './event.listing.js';
import { moveOf, requireChangeable, requireDraft, requireTimes, stateAt } from './event.policy.js';
import type { EventMove } from './event.policy.js';
import { EventRepository } from './event.repository.js';
import type { SeatedEvent } from './event.repository.js';
import type { EventKey } from './event.repository.js';
import { event as resource } from './event.schema.js';
import type { EventCreate, EventListQuery, EventPatch } from './event.schema.js';

const ROWS = { entity: Event, resource, computed: { tickets: EVENT_TICKETS } } as const;

/** Owners and admins manage events. A published event follows the clock. */
@Injectable()
export class EventService {
  /** Notified when places of an event may be free, or after its cancellation. Registrations follow. */
  readonly changed = new Followers<Event>();
  readonly #events: SiteStore<Event, typeof eventEvents>;
  readonly #public: Readonly<Record<'all' | 'past' | 'upcoming', SiteStore<Event, never>>>;

  constructor(
    stores: SiteStores,
    private readonly repository: EventRepository,
  ) {
    this.#events = stores.of({
      ...ROWS,
      fence: forAdministrators('manage events'),
      unique: { events_slug: 'slug', events_external_id: 'external_id' },
      events: eventEvents,
      data: (row, name) => ({
        event_id: row.id,
        site_id: row.site_id,
        slug: row.slug,
        name: row.name,
        image_url: row.image_url,
        hosting_type: row.hosting_type,
        join_url: row.join_url,
        location: row.location,
        starts_at: iso(row.starts_at),
        ends_at: iso(row.ends_at),
        timezone: row.timezone,
        tickets: row.tickets.map(({ id: ticket_id, name: ticket }) => ({ ticket_id, name: ticket })),
        state: name === 'deleted' ? 'deleted' : stateAt(row, new Date()),
        canceled_at: iso(row.canceled_at),
      }),
    });
    const fenced = (condition: string): SiteStore<Event, never> => stores.of({ ...ROWS, fence: () => ({ condition }) });
    this.#public = { all: fenced(PUBLIC_EVENTS), past: fenced(PAST_EVENTS), upcoming: fenced(LISTED_EVENTS) };
  }

  async list(caller: Caller, query: EventListQuery): Promise<Page<Event>> {
    const page = await this.#events.list(caller, query);
    const { state } = query;
    if (state === undefined) return page;
    // The index has the state that the clock last wrote.
    const now = new Date();
    return { ...page, rows: page.rows.filter((row) => isAmong(stateAt(row, now), state)) };
  }

  get(caller: Caller, id: string): Promise<Event> {
    return this.#events.get(caller, id);
  }

  /** @throws `not_found` */
  async requireExisting({ site_id }: OfSite, id: string): Promise<void> {
    if (!(await this.repository.exists({ site_id, id }))) this.#events.missing();
  }

  /** Returns the event that a command names. @throws `not_found` */
  async referred(site: OfSite, reference: EventReference, tx: EntityManager): Promise<Event> {
    return (await this.#events.find(site, reference, tx)) ?? this.#events.missing();
  }

  /** Upcoming events, the next one first, or past ones, the latest first. */
  listPublic(
    site: OfSite,
    query: { readonly when: 'upcoming' | 'past'; readonly limit: number; readonly cursor: string | undefined },
  ): Promise<Page<Event>> {
    const sort = query.when === 'upcoming' ? 'starts_at' : '-starts_at';
    return this.#public[query.when].list(site, { ...query, sort, include_total: false });
  }

  async getPublic(site: OfSite, slug: string): Promise<Event> {
    return (await this.#public.all.find(site, { slug })) ?? this.#events.missing();
  }

  async create(caller: Caller, input: EventCreate, tx: EntityManager): Promise<Created<Event>> {
    requireAdministrator(caller, 'manage events');
    requireTimes(input);
    return this.#events.insert(tx, caller, { ...input, state: 'draft' }, 'created');
  }

  async upsert({
    tx,
    principal,
    body,
    patch,
    ...key
  }: UpsertRequest<EventCreate, EventPatch>): Promise<Created<Event>> {
    const written = await this.#events.upsert(tx, principal, key, {
      create: () => {
        requireTimes(body);
        return { ...body, state: 'draft' };
      },
      decide: (event) => updated(event, patch, new Date()),
    });
    return written.created ? written : { ...(await this.#followed(tx, principal, written)), created: false };
  }

  async patch(caller: Caller, key: Key, patch: EventPatch, tx: EntityManager): Promise<Written<Event>> {
    const written = await this.#events.change(tx, caller, key, (event) => updated(event, patch, new Date()));
    return this.#followed(tx, caller, written);
  }

  async move(caller: Caller, key: Key, name: EventMove, tx: EntityManager): Promise<Written<Event>> {
    const now = new Date();
    const written = await this.#events.change(tx, caller, key, (event) => {
      const rule = moveOf(event, name, now);
      if (rule === undefined) return undefined;
      const at = rule.to === 'canceled' ? { canceled_at: now } : { published_at: now };
      return { event: rule.event, changes: { state: rule.to, ...at } };
    });
    return this.#followed(tx, caller, written);
  }

  /** @throws `invalid_state` unless the event is a draft, which has no registrations */
  async remove(caller: Caller, key: Key, tx: EntityManager): Promise<Written<Event>> {
    const row = await this.#events.lock(tx, caller, key.id);
    this.#events.requireMatch(row, key);
    requireDraft(row.state);
    await this.repository.lockTicketsForDeletion(tx, row);
    const error = new ApiError('resource_in_use', 'A pending order names a ticket of the event', {
      hint: 'Wait until the order has been paid, has failed or has expired',
    });
    return this.#events.remove(tx, caller, key, { sql: PENDING_TICKETS, error });
  }

  /** Locks an event whose tickets or registrations change. Callers lock students before it. @throws `not_found` */
  lock(tx: EntityManager, caller: Caller, id: string): Promise<Event> {
    return this.#events.lock(tx, caller, id);
  }

  /** Locks the events of tickets as `lock` does. Tickets of no event are left out. */
  lockOfTickets(tx: EntityManager, site: OfSite, ticket_ids: readonly string[]): Promise<readonly SeatedEvent[]> {
    return this.repository.lockOfTickets(tx, site, ticket_ids);
  }

  /** Adds to the taken places of locked events. */
  async countAll(
    tx: EntityManager,
    site: OfSite,
    taken: readonly { readonly id: string; readonly by: number }[],
  ): Promise<void> {
    if (taken.length > 0) await this.repository.count(tx, site, taken);
  }

  /** Adds to the taken places of a locked event. */
  async count(tx: EntityManager, event: Event, by: number): Promise<Event> {
    if (by === 0) return event;
    await this.repository.count(tx, event, [{ id: event.id, by }]);
    return Object.assign({}, event, { registrations_count: event.registrations_count + by });
  }

  /** Publishes a change of the tickets of a locked event, which are parts of it. */
  async publishTickets(
    tx: EntityManager,
    { site_id, event_id }: OfSite & { readonly event_id: string },
  ): Promise<void> {
    const changes = { tickets: [] };
    await this.#events.change(tx, { site_id }, { id: event_id }, () => ({ event: 'updated', changes }));
  }

  due(now: Date, limit: number): Promise<readonly EventKey[]> {
    return this.repository.due(now, limit);
  }

  /** Moves an event to the state of the current time, and locks it. */
  async follow(tx: EntityManager, { site_id, id }: EventKey, now: Date): Promise<Event> {
    const row = await this.#events.lock(tx, { site_id }, id);
    await this.repository.markSettled(tx, row);
    const state = stateAt(row, now);
    const followed = await this.#events.change(tx, { site_id }, row, () =>
      state === row.state
        ? undefined
        : { event: state === 'live' ? 'started' : 'ended', changes: { state, updated_at: now }, keepsTag: true },
    );
    return followed.row;
  }

  /** True when the clock goes on with the registrations of a locked event. */
  isUnsettled(tx: EntityManager, event: EventKey): Promise<boolean> {
    return this.repository.isUnsettled(tx, event);
  }

  /** The clock goes on with the registrations of these events. */
  async leaveUnsettled(tx: EntityManager, site: OfSite, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.repository.markUnsettled(tx, site, ids);
  }

  republication(): Republication<typeof eventEvents> {
    return this.#events.republication();
  }

  /** The event after its registrations followed a change, which may have changed their number. */
  async #followed(tx: EntityManager, caller: Caller, written: Written<Event>): Promise<Written<Event>> {
    if (!written.changed || written.row.state === 'draft') return written;
    await this.changed.notify(tx, written.row);
    return { ...written, row: await this.#events.lock(tx, caller, written.row.id) };
  }
}

function updated(event: Event, patch: EventPatch, now: Date) {
  const changes = changedColumns(event, patch, resource);
  if (changes === undefined) return undefined;
  const next = Object.assign({}, event, changes);
  requireChangeable(next, stateAt(event, now), Object.keys(changes), now);
  return { event: 'updated' as const, changes };
}
