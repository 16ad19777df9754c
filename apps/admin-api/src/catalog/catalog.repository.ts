import type { OfSite } from '@lyceum/contracts';
import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { COURSE_PLANS_FOR_SALE } from '#src/course-plans/course-plan.listing.js';
import { COURSE_TEXT, LISTED_COURSES } from '#src/courses/course.listing.js';
import { LISTED_DIGITAL_PRODUCTS } from '#src/digital-products/digital-product.listing.js';
import { LISTED_EVENTS } from '#src/events/event.listing.js';
import { LISTED_MEMBERSHIP_PLANS } from '#src/membership-plans/membership-plan.listing.js';
import { Where, unionStatement } from '@lyceum/rest';
import type { Money, Position } from '@lyceum/rest';
import { ITEM_TYPES } from './catalog.schema.js';
import type { ItemType } from './catalog.schema.js';

export interface CatalogRow {
  readonly id: string;
  readonly type: ItemType;
  readonly slug: string;
  readonly name: string;
  readonly subtitle: string | null;
  readonly price_from: Money | null;
  readonly starts_at: Date | null;
}

export interface CatalogQuery {
  readonly q: string | undefined;
  readonly type: ItemType | undefined;
  readonly limit: number;
}

const price = (from: string): string =>
  `(select case when price_currency is not null
      then json_build_object('amount_minor', price_amount_minor, 'currency', price_currency) end ${from})`;

/** Null when one of the rows has no price, because it is free. */
const lowest = (table: string, owner: string, column: string, condition = ''): string =>
  price(`from ${table} p where p.site_id = ${owner}.site_id and p.${column} = ${owner}.id ${condition}
    order by price_amount_minor nulls first limit 1`);

interface Source {
  readonly table: string;
  /** Condition on its public rows. */
  readonly listed: string;
  /** Searched columns beside the name and the slug. */
  readonly text?: string;
  /** Columns of some types; null for the other types. */
  readonly subtitle?: string;
  readonly price_from?: string;
  readonly starts_at?: string;
}

const SOURCES: Readonly<Record<ItemType, Source>> = {
  course: {
    table: 'courses',
    listed: LISTED_COURSES,
    text: COURSE_TEXT,
    subtitle: 'subtitle',
    price_from: lowest('course_plans', 'courses', 'course_id', `and ${COURSE_PLANS_FOR_SALE}`),
  },
  digital_product: { table: 'digital_products', listed: LISTED_DIGITAL_PRODUCTS, price_from: price('') },
  event: {
    table: 'events',
    listed: LISTED_EVENTS,
    price_from: lowest('event_tickets', 'events', 'event_id'),
    starts_at: 'starts_at',
  },
  membership_plan: {
    table: 'membership_plans',
    listed: LISTED_MEMBERSHIP_PLANS,
    price_from: lowest('membership_plan_prices', 'membership_plans', 'plan_id', 'and p.active'),
  },
};

function columnsOf(type: ItemType): string {
  const { subtitle = 'null::text', price_from = 'null::json', starts_at = 'null::timestamptz' } = SOURCES[type];
  return `id, '${type}' as type, slug, name, ${subtitle} as subtitle, ${price_from} as price_from, ${starts_at} as starts_at`;
}

@Injectable()
export class CatalogRepository {
  constructor(private readonly sql: Sql) {}

  async countCourses(site: OfSite, atMost: number): Promise<number> {
    const text = `select count(*)::int as count from
      (select from courses where site_id = $1 and ${LISTED_COURSES} limit $2) found`;
    const [row] = await this.sql.query<{ count: number }>({ name: 'catalog_count_courses', text }, [
      site.site_id,
      atMost,
    ]);
    return row?.count ?? 0;
  }

  /** Public items of all types by name: one page of each type from its index, merged. */
  list(site: OfSite, { q, type, limit }: CatalogQuery, after: Position | undefined): Promise<CatalogRow[]> {
    const types = type === undefined ? ITEM_TYPES : [type];
    const where = new Where(site);
    const sources = types.map((one) => ({
      columns: columnsOf(one),
      table: SOURCES[one].table,
      condition: SOURCES[one].listed,
      text: SOURCES[one].text ?? `(name || ' ' || slug)`,
    }));
    const sort = { column: 'name', type: 'text' } as const;
    const statement = unionStatement({ name: 'catalog', sources, q, where, sort, after, limit });
    return this.sql.query(statement, statement.values);
  }
}
