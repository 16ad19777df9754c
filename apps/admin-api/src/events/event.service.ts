import { learningEventEvents } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { Outcome } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { NewEvent, Republication } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import { Pager, cleanDescription, iso } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import type { EventListQuery } from './event.api.schema.js';
import { EventRepository } from './event.repository.js';
import type { Event, EventQuery, EventSummary } from './event.repository.js';
import type { EventDeclaration } from './event.schema.js';

type Site = Pick<Principal, 'site_id'>;

@Injectable()
export class EventService {
  constructor(
    private readonly events: EventRepository,
    private readonly pager: Pager,
    private readonly outbox: Outbox,
  ) {}

  list(principal: Principal, query: EventListQuery): Promise<Page<EventSummary>> {
    const list = { collection: 'events', site_id: principal.site_id };
    return this.pager.page(list, query, (after) => this.events.list(principal, query, after));
  }

  async get(principal: Principal, id: string): Promise<Event> {
    const row = await this.events.find(principal, id);
    if (row === undefined) throw new Outcome('not_found', 'There is no such event at this site');
    return row;
  }

  findBySlug(site: Site, slug: string): Promise<Event | undefined> {
    return this.events.findBySlug(site, slug);
  }

  listPublic(site: Site, query: EventQuery & { readonly cursor: string | undefined }): Promise<Page<EventSummary>> {
    const list = { collection: 'events/public', site_id: site.site_id };
    return this.pager.page(list, { ...query, sort: 'starts_at' }, (after) =>
      this.events.listPublic(site, query, after),
    );
  }

  async getPublic(site: Site, slug: string): Promise<Event> {
    const event = await this.events.findPublic(site, slug);
    if (event === undefined) throw new Outcome('not_found', 'There is no such event at this site');
    return event;
  }

  /** Makes the event unless the site has one of that slug. */
  async declare(site: Site, declared: EventDeclaration): Promise<void> {
    const html = declared.description_html;
    const description_html = html === null ? null : cleanDescription(html);
    await this.outbox.transaction(async (tx) => {
      const event = await this.events.insert(tx, site, { ...declared, description_html });
      if (event === null) return;
      const name = event.state === 'published' ? 'published' : 'created';
      await this.outbox.add(tx, learningEventEvents, name, toEvent(event));
    });
  }

  republication(): Republication<typeof learningEventEvents> {
    return {
      events: learningEventEvents,
      batch: async (tx, after, limit) => {
        const events = await this.events.share(tx, after, limit);
        return events.map((event) => ({ key: [event.site_id, event.id], event: toEvent(event) }));
      },
    };
  }
}

function toEvent(event: Event): NewEvent<typeof learningEventEvents> {
  return {
    aggregate_id: event.id,
    aggregate_version: event.version,
    site_id: event.site_id,
    data: {
      event_id: event.id,
      site_id: event.site_id,
      slug: event.slug,
      name: event.name,
      image_url: event.image_url,
      hosting_type: event.hosting_type,
      join_url: event.join_url,
      location: event.location,
      starts_at: iso(event.starts_at),
      ends_at: iso(event.ends_at),
      timezone: event.timezone,
      state: event.state,
    },
  };
}
