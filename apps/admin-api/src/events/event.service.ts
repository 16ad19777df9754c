import { SiteStores } from '@lyceum/collections';
import type { SiteStore } from '@lyceum/collections';
import { eventEvents } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import type { Republication } from '@lyceum/messaging';
import { iso } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { Event } from './event.entity.js';
import { EVENT_TICKETS, PAST_EVENTS, PUBLIC_EVENTS, UPCOMING_EVENTS } from './event.listing.js';
import { EventRepository } from './event.repository.js';
import { event as resource } from './event.schema.js';
import type { EventDeclaration, EventListQuery } from './event.schema.js';

type Site = Pick<Principal, 'site_id'>;

const ROWS = { entity: Event, resource, computed: { tickets: EVENT_TICKETS } } as const;

@Injectable()
export class EventService {
  readonly #events: SiteStore<Event, typeof eventEvents>;
  readonly #public: Readonly<Record<'all' | 'past' | 'upcoming', SiteStore<Event, never>>>;

  constructor(
    stores: SiteStores,
    private readonly repository: EventRepository,
    private readonly outbox: Outbox,
  ) {
    this.#events = stores.of({
      ...ROWS,
      events: eventEvents,
      data: (row) => ({
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
        state: row.state,
      }),
    });
    const fenced = (condition: string): SiteStore<Event, never> => stores.of({ ...ROWS, fence: () => ({ condition }) });
    this.#public = { all: fenced(PUBLIC_EVENTS), past: fenced(PAST_EVENTS), upcoming: fenced(UPCOMING_EVENTS) };
  }

  list(site: Site, query: EventListQuery): Promise<Page<Event>> {
    return this.#events.list(site, query);
  }

  get(site: Site, id: string): Promise<Event> {
    return this.#events.get(site, id);
  }

  findBySlug(site: Site, slug: string): Promise<Event | undefined> {
    return this.#events.find(site, { slug });
  }

  /** Upcoming events, the next one first, or past ones, the latest first. */
  listPublic(
    site: Site,
    query: { readonly when: 'upcoming' | 'past'; readonly limit: number; readonly cursor: string | undefined },
  ): Promise<Page<Event>> {
    const sort = query.when === 'upcoming' ? 'starts_at' : '-starts_at';
    return this.#public[query.when].list(site, { ...query, sort, include_total: false });
  }

  async getPublic(site: Site, slug: string): Promise<Event> {
    return (await this.#public.all.find(site, { slug })) ?? this.#events.missing();
  }

  /** Creates the event with its tickets unless the site has one with the slug. */
  declare(site: Site, { tickets, ...declared }: EventDeclaration): Promise<void> {
    return this.outbox.transaction(async (tx) => {
      if (await this.#events.findLocked(tx, site, { slug: declared.slug })) return;
      const name = declared.state === 'published' ? 'published' : 'created';
      const { row } = await this.#events.insert(tx, site, declared, name);
      await this.repository.insertTickets(tx, row, tickets);
    });
  }

  republication(): Republication<typeof eventEvents> {
    return this.#events.republication();
  }
}
