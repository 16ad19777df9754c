import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Where, listStatement } from '@lyceum/rest';
import type { Position } from '@lyceum/rest';
import type { DigitalProductListQuery } from './digital-product.api.schema.js';
import { LISTED_DIGITAL_PRODUCTS } from './digital-product.listing.js';
import type { DigitalProductDeclaration } from './digital-product.schema.js';

interface Site {
  readonly site_id: string;
}

/** A row of `digital_products`. */
export interface DigitalProduct {
  readonly site_id: string;
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description_html: string | null;
  readonly image_url: string | null;
  readonly state: 'draft' | 'published' | 'unpublished' | 'archived';
  readonly price_amount_minor: number;
  readonly price_currency: string;
  readonly compare_at_amount_minor: number | null;
  readonly download_limit: number | null;
  readonly access_days: number | null;
  readonly files: DigitalProductDeclaration['files'];
  readonly tags: readonly string[];
  readonly published_at: Date | null;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A list never carries the descriptions. */
export type DigitalProductSummary = Omit<DigitalProduct, 'description_html'>;

const SUMMARY = `site_id, id, slug, name, image_url, state, price_amount_minor, price_currency, compare_at_amount_minor,
  download_limit, access_days, files, tags, published_at, version, created_at, updated_at`;
const COLUMNS = `${SUMMARY}, description_html`;

@Injectable()
export class DigitalProductRepository {
  constructor(private readonly sql: Sql) {}

  list(
    site: Site,
    query: DigitalProductListQuery,
    after: Position | undefined,
  ): Promise<(DigitalProductSummary & { total_count?: number })[]> {
    const where = new Where(site).and('state = ?', query.state);
    where.words(`(name || ' ' || slug)`, query.q);
    where.range('created_at', query);
    const statement = listStatement({ columns: SUMMARY, table: 'digital_products', where }, query, after);
    return this.sql.query(statement, statement.values);
  }

  async find(site: Site, id: string): Promise<DigitalProduct | undefined> {
    const [row] = await this.sql.query<DigitalProduct>(
      {
        name: 'digital_products_find',
        text: `select ${COLUMNS} from digital_products where site_id = $1 and id = $2`,
      },
      [site.site_id, id],
    );
    return row;
  }

  async findBySlug(site: Site, slug: string): Promise<DigitalProduct | undefined> {
    const [row] = await this.sql.query<DigitalProduct>(
      {
        name: 'digital_products_find_by_slug',
        text: `select ${COLUMNS} from digital_products where site_id = $1 and slug = $2`,
      },
      [site.site_id, slug],
    );
    return row;
  }

  async findListed(site: Site, slug: string): Promise<DigitalProduct | undefined> {
    const [row] = await this.sql.query<DigitalProduct>(
      {
        name: 'digital_products_find_listed',
        text: `select ${COLUMNS} from digital_products where site_id = $1 and slug = $2 and ${LISTED_DIGITAL_PRODUCTS}`,
      },
      [site.site_id, slug],
    );
    return row;
  }

  /** The next ones of all sites by site and id, unchanged until the transaction ends. */
  share(tx: EntityManager, [site_id, id]: readonly string[], limit: number): Promise<DigitalProduct[]> {
    return tx.query<DigitalProduct[]>(
      `select ${COLUMNS} from digital_products where (site_id, id) > ($1, $2) order by site_id, id limit $3 for share`,
      [site_id, id, limit],
    );
  }

  /** Null when the slug is taken at the site. */
  async insert(tx: EntityManager, site: Site, product: DigitalProductDeclaration): Promise<DigitalProduct | null> {
    const [row] = await tx.query<DigitalProduct[]>(
      `insert into digital_products (site_id, id, slug, name, description_html, image_url, state, published_at,
         price_amount_minor, price_currency, compare_at_amount_minor, download_limit, access_days, files, tags)
       values ($1, coalesce($2::uuid, uuidv7()), $3, $4, $5, $6, $7::text, case when $7 = 'published' then now() end,
         $8, $9, $10, $11, $12, $13, $14)
       on conflict on constraint digital_products_slug do nothing
       returning ${COLUMNS}`,
      [
        site.site_id,
        product.id,
        product.slug,
        product.name,
        product.description_html,
        product.image_url,
        product.state,
        product.price.amount_minor,
        product.price.currency,
        product.compare_at_amount_minor,
        product.download_limit,
        product.access_days,
        JSON.stringify(product.files),
        product.tags,
      ],
    );
    return row ?? null;
  }
}
