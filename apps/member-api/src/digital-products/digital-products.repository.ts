import { Injectable } from '@nestjs/common';
import { digitalProductEvents, digitalProductGrantEvents } from '@lyceum/contracts';
import { Sql } from '@lyceum/platform';
import { ReadModel, Consumes, writeNewest } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import type { Stored } from '#src/notifications/state-changes.js';
import { lockStates } from '#src/notifications/stored-states.js';
import { presentMember } from '#src/people/present-member.js';
import { writeRowsOfPeople } from '#src/people/rows-of-people.js';
import { rowsOf } from '#src/read-models/rows-of.js';
import { BY_ID, nodes, notificationSubject } from '#src/reading/source-catalog.js';
import { argument, byState, sql } from '#src/selection/sources.js';
import type { FieldSource, Sources } from '#src/selection/sources.js';
import { downloadTokenSql } from '#src/download-links/download-links.js';
import type { Download } from '#src/download-links/download-links.js';

/** Excludes revoked grants, and grants whose product is unpublished or deleted. */
const VISIBLE = `g.state in ('active', 'expired') and d.site_id = g.site_id and d.state not in ('draft', 'deleted')`;
const GRANT = 'digital_product_grants g join digital_products d on d.digital_product_id = g.digital_product_id';
// The school publishes an event when access expires, but the event may be late.
const EXPIRED = `(g.state = 'expired' or coalesce(g.expires_at <= now(), false))`;
const STATE = `case when ${EXPIRED} then 'EXPIRED' else 'ACTIVE' end`;
const COUNT = `coalesce((select x.count from digital_product_downloads x
                         where x.grant_id = g.grant_id and x.site_id = g.site_id), 0)`;
const WITHIN_LIMIT = `(d.download_limit is null or ${COUNT} < d.download_limit)`;
const TOKEN = downloadTokenSql('g.grant_id', 'g.digital_product_id', `(f.file->>'file_id')::uuid`);
const DOWNLOAD_URL = `:base_url || '/member/downloads?token=' || ${TOKEN}`;

const digitalProducts: FieldSource = {
  kind: 'connection',
  name: 'digitalProducts',
  from: `${GRANT} where g.site_id = :site and g.person_id = :person and ${VISIBLE}`,
  keys: ['g.granted_at', 'g.grant_id'],
  filters: byState(STATE),
};

/** The grant that `id` of another row of the same person refers to. */
const digitalProductOf = (id: string): string =>
  `${GRANT} where g.grant_id = ${id} and g.site_id = :site and g.person_id = :person and ${VISIBLE}`;

/** The member's newest grant for the product with a slug. */
const digitalProductBySlug: FieldSource = {
  kind: 'one',
  from: {
    PurchasedDigitalProduct: `${GRANT} where d.slug = ${argument('slug', 'text')} and g.site_id = :site and g.person_id = :person
      and ${VISIBLE} order by g.granted_at desc, g.grant_id desc limit 1`,
  },
};

export const digitalProductSources: Sources = {
  ...notificationSubject('PurchasedDigitalProduct', digitalProductOf),
  ...nodes({ PurchasedDigitalProduct: digitalProductOf }),
  [BY_ID]: { PurchasedDigitalProduct: { kind: 'one', from: { PurchasedDigitalProduct: digitalProductOf(':id') } } },
  Viewer: { digitalProducts, digitalProduct: digitalProductBySlug },
  PurchasedDigitalProduct: {
    id: sql.id('PurchasedDigitalProduct', 'g.grant_id'),
    productId: sql.uuid('g.digital_product_id'),
    slug: sql.text('d.slug'),
    name: sql.text('d.name'),
    descriptionHtml: sql.nullable(sql.text('d.description')),
    imageUrl: sql.nullable(sql.text('d.image_url')),
    purchasedAt: sql.instant('g.granted_at'),
    expireDate: sql.nullable(sql.instant('g.expires_at')),
    hasLifetimeAccess: sql.boolean('g.expires_at is null'),
    state: sql.name(STATE),
    files: {
      kind: 'list',
      from: 'jsonb_array_elements(d.files) with ordinality as f (file, place)',
      orderBy: 'f.place',
    },
    downloadCount: sql.number(COUNT),
    downloadLimit: sql.nullable(sql.number('d.download_limit')),
  },
  DigitalProductFile: {
    id: sql.text(`f.file->>'file_id'`),
    name: sql.text(`f.file->>'name'`),
    contentType: sql.text(`f.file->>'content_type'`),
    sizeBytes: sql.number(`f.file->>'size_bytes'`),
    downloadUrl: {
      kind: 'value',
      json: `case when ${EXPIRED} or not ${WITHIN_LIMIT} then 'null' else to_json(${DOWNLOAD_URL})::text end`,
    },
  },
};

export type ProductEvent = EventOf<[typeof digitalProductEvents]>;
export type GrantEvent = EventOf<[typeof digitalProductGrantEvents]>;

/** A file of a valid link. */
interface FoundFile {
  /** False when the limit was already reached. */
  readonly allowed: boolean;
}

@Injectable()
@ReadModel('digital-products')
export class DigitalProductsRepository {
  constructor(private readonly database: Sql) {}

  lockProducts(ids: readonly string[], tx: EntityManager): Promise<Stored<Pick<ProductEvent['data'], 'state'>>[]> {
    return lockStates(tx, { table: 'digital_products', id: 'digital_product_id', columns: ['state'] }, ids);
  }

  lockGrants(ids: readonly string[], tx: EntityManager): Promise<Stored<Pick<GrantEvent['data'], 'state'>>[]> {
    return lockStates(tx, { table: 'digital_product_grants', id: 'grant_id', columns: ['state'] }, ids);
  }

  @Consumes(digitalProductEvents, 'digital-products', { table: 'digital_products' })
  async applyProducts(events: readonly ProductEvent[], tx: EntityManager): Promise<void> {
    await writeNewest(
      tx,
      { table: 'digital_products', key: ['digital_product_id'] },
      rowsOf(events, [
        'digital_product_id',
        'site_id',
        'slug',
        'name',
        'description',
        'image_url',
        'state',
        'download_limit',
        'files',
      ]),
    );
  }

  @Consumes(digitalProductGrantEvents, 'digital-product-grants', { table: 'digital_product_grants' })
  async applyGrants(events: readonly GrantEvent[], tx: EntityManager): Promise<void> {
    await writeRowsOfPeople(tx, { table: 'digital_product_grants', id: 'grant_id' }, events, [
      'grant_id',
      'site_id',
      'person_id',
      'digital_product_id',
      'state',
      'granted_at',
      'expires_at',
    ]);
  }

  /**
   * Finds the file of a download and counts the download in one statement. A concurrent download waits for the
   * row of the count, so that the limit is never exceeded.
   */
  async takeFile(site_id: string, download: Download, counts: boolean): Promise<FoundFile | undefined> {
    const text = `
      with found as (
        select g.grant_id, g.site_id, d.download_limit, ${WITHIN_LIMIT} as within_limit
        from ${GRANT} cross join jsonb_array_elements(d.files) as f (file)
        where g.site_id = $1 and g.grant_id = $2 and g.digital_product_id = $3 and (f.file->>'file_id')::uuid = $4
          and ${VISIBLE} and not ${EXPIRED} and exists (select from ${presentMember('$1', 'g.person_id')})),
      counted as (
        insert into digital_product_downloads as old (grant_id, site_id, count, last_at)
        select grant_id, site_id, 1, now() from found where $5
        on conflict (grant_id) do update set count = old.count + 1, last_at = excluded.last_at
          where old.count < coalesce((select download_limit from found), 2147483647)
        returning 1)
      select case when $5 then exists (select from counted) else within_limit end as allowed from found`;
    const values = [site_id, download.row_id, download.source_id, download.file_id, counts];
    const [row] = await this.database.query<FoundFile>({ name: 'take_digital_product_file', text }, values);
    return row;
  }
}
