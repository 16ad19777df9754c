import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Where, listStatement, pageStatement } from '@lyceum/rest';
import type { Money, Position } from '@lyceum/rest';
import type { EventListQuery } from './event.api.schema.js';
import { PUBLIC_EVENTS } from './event.listing.js';
import type { EventDeclaration } from './event.schema.js';

interface Site {
  readonly site_id: string;
}

/** A row of `events`, without the long text. */
export interface EventSummary {
  readonly site_id: string;
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly image_url: string | null;
  readonly state: 'draft' | 'published' | 'live' | 'ended' | 'cancelled';
  readonly hosting_type: EventDeclaration['hosting_type'];
  readonly location: string | null;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly timezone: string;
  readonly capacity: number | null;
  readonly registrations_count: number;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** In their order. */
  readonly tickets: readonly { readonly name: string; readonly price: Money }[];
}

export type Event = EventSummary & { readonly description_html: string | null; readonly join_url: string | null };

export interface EventQuery {
  readonly when: 'upcoming' | 'past';
  readonly limit: number;
}

const SUMMARY = `site_id, id, slug, name, image_url, state, hosting_type, location, starts_at, ends_at, timezone, capacity,
  registrations_count, version, created_at, updated_at,
  (select coalesce(json_agg(json_build_object('name', t.name, 'price', json_build_object(
      'amount_minor', t.price_amount_minor, 'currency', t.price_currency)) order by t.position), '[]')
    from event_tickets t where t.site_id = events.site_id and t.event_id = events.id) as tickets`;

@Injectable()
export class EventRepository {
  constructor(private readonly sql: Sql) {}

  list(
    site: Site,
    query: EventListQuery,
    after: Position | undefined,
  ): Promise<(EventSummary & { total_count?: number })[]> {
    const where = new Where(site).and('state = ?', query.state);
    where.words(`(name || ' ' || slug)`, query.q);
    where.range('created_at', query);
    const statement = listStatement({ columns: SUMMARY, table: 'events', where }, query, after);
    return this.sql.query(statement, statement.values);
  }

  async find(site: Site, id: string): Promise<Event | undefined> {
    const [row] = await this.sql.query<Event>(
      {
        name: 'events_find',
        text: `select ${SUMMARY}, description_html, join_url from events where site_id = $1 and id = $2`,
      },
      [site.site_id, id],
    );
    return row;
  }

  async findBySlug(site: Site, slug: string): Promise<Event | undefined> {
    const [row] = await this.sql.query<Event>(
      {
        name: 'events_find_by_slug',
        text: `select ${SUMMARY}, description_html, join_url from events where site_id = $1 and slug = $2`,
      },
      [site.site_id, slug],
    );
    return row;
  }

  /** What is still to come, the next one first; or what is over, the latest first. */
  listPublic(site: Site, { when, limit }: EventQuery, after: Position | undefined): Promise<EventSummary[]> {
    const upcoming = when === 'upcoming';
    const where = new Where(site).also(PUBLIC_EVENTS).also(upcoming ? 'ends_at > now()' : 'ends_at <= now()');
    const statement = pageStatement({
      columns: SUMMARY,
      table: 'events',
      where,
      sort: { column: 'starts_at', type: 'timestamptz' },
      descending: !upcoming,
      after,
      limit,
      withTotal: false,
    });
    return this.sql.query(statement, statement.values);
  }

  async findPublic(site: Site, slug: string): Promise<Event | undefined> {
    const [row] = await this.sql.query<Event>(
      {
        name: 'events_find_public',
        text: `select ${SUMMARY}, description_html, join_url from events
               where site_id = $1 and slug = $2 and ${PUBLIC_EVENTS}`,
      },
      [site.site_id, slug],
    );
    return row;
  }

  /** The next ones of all sites by site and id, unchanged until the transaction ends. */
  share(tx: EntityManager, [site_id, id]: readonly string[], limit: number): Promise<Event[]> {
    return tx.query<Event[]>(
      `select ${SUMMARY}, description_html, join_url from events where (site_id, id) > ($1, $2) order by site_id, id limit $3 for share`,
      [site_id, id, limit],
    );
  }

  /** Null when the slug is taken at the site. */
  async insert(tx: EntityManager, site: Site, event: EventDeclaration): Promise<Event | null> {
    const [row] = await tx.query<Event[]>(
      `insert into events (site_id, id, slug, name, description_html, image_url, state, hosting_type, join_url, location,
         starts_at, ends_at, timezone, capacity)
       values ($1, coalesce($2::uuid, uuidv7()), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
       on conflict on constraint events_slug do nothing
       returning ${SUMMARY}, description_html, join_url`,
      [
        site.site_id,
        event.id,
        event.slug,
        event.name,
        event.description_html,
        event.image_url,
        event.state,
        event.hosting_type,
        event.join_url,
        event.location,
        event.starts_at,
        event.ends_at,
        event.timezone,
        event.capacity,
      ],
    );
    if (row === undefined) return null;
    await tx.query(
      `insert into event_tickets (site_id, event_id, name, price_amount_minor, price_currency, position)
       select $1, $2, t.name, (t.price ->> 'amount_minor')::int, t.price ->> 'currency', t.position
       from rows from (jsonb_to_recordset($3) as (name text, price jsonb)) with ordinality as t (name, price, position)`,
      [site.site_id, row.id, JSON.stringify(event.tickets)],
    );
    return row;
  }
}
