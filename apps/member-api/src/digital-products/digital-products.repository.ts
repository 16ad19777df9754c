import { Injectable } from '@nestjs/common';
import { digitalProductEvents, digitalProductGrantEvents } from '@lyceum/contracts';
import { Sql } from '@lyceum/platform';
import { ReadModel, Reads, writeNewest } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { presentMember } from '#src/people/present-member.js';
import { ofKnownPeople } from '#src/people/known-people.js';
import { notificationSubject } from '#src/reading/source-catalogue.js';
import { sql } from '#src/selection/sources.js';
import type { FieldSource, Sources } from '#src/selection/sources.js';
import { downloadTokenSql } from '#src/download-links/download-links.js';
import type { Download } from '#src/download-links/download-links.js';

/** Revoked grants, and those whose product is not out or gone, are not there. */
const VISIBLE = `g.state IN ('active', 'expired') AND d.site_id = g.site_id AND d.state NOT IN ('draft', 'deleted')`;
const GRANT = 'digital_product_grant g JOIN digital_product d ON d.digital_product_id = g.digital_product_id';
// The school says so too when access runs out, but it may say so late.
const EXPIRED = `(g.state = 'expired' OR coalesce(g.expires_at <= now(), false))`;
const COUNT = `coalesce((SELECT x.count FROM digital_product_download x
                         WHERE x.grant_id = g.grant_id AND x.site_id = g.site_id), 0)`;
const WITHIN_LIMIT = `(d.download_limit IS NULL OR ${COUNT} < d.download_limit)`;
const DOWNLOAD_URL = `:base_url || '/member/downloads?token=' || ${downloadTokenSql('g.grant_id', `(f.file->>'file_id')::uuid`)}`;

const digitalProducts: FieldSource = {
  kind: 'connection',
  name: 'digitalProducts',
  from: `${GRANT} WHERE g.site_id = :site AND g.person_id = :person AND ${VISIBLE}`,
  keys: ['g.granted_at', 'g.grant_id'],
};

/** The grant that another row of the same person names in `id`. */
const digitalProductOf = (id: string): string =>
  `${GRANT} WHERE g.grant_id = ${id} AND g.site_id = :site AND g.person_id = :person AND ${VISIBLE}`;

export const digitalProductSources: Sources = {
  ...notificationSubject('PurchasedDigitalProduct', digitalProductOf),
  Viewer: { digitalProducts },
  PurchasedDigitalProduct: {
    id: sql.uuid('g.grant_id'),
    productId: sql.uuid('g.digital_product_id'),
    slug: sql.text('d.slug'),
    name: sql.text('d.name'),
    description: sql.nullable(sql.text('d.description')),
    imageUrl: sql.nullable(sql.text('d.image_url')),
    purchasedAt: sql.instant('g.granted_at'),
    expireDate: sql.nullable(sql.instant('g.expires_at')),
    hasLifetimeAccess: sql.boolean('g.expires_at IS NULL'),
    state: { kind: 'value', json: `CASE WHEN ${EXPIRED} THEN '"EXPIRED"' ELSE '"ACTIVE"' END` },
    files: {
      kind: 'list',
      from: 'jsonb_array_elements(d.files) WITH ORDINALITY AS f (file, place)',
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
      json: `CASE WHEN ${EXPIRED} OR NOT ${WITHIN_LIMIT} THEN 'null' ELSE to_json(${DOWNLOAD_URL})::text END`,
    },
  },
};

type ProductEvent = EventOf<[typeof digitalProductEvents]>;
type GrantEvent = EventOf<[typeof digitalProductGrantEvents]>;

export interface FoundFile {
  readonly storage_url: string;
  /** False when the limit had been reached before. */
  readonly allowed: boolean;
}

@Injectable()
@ReadModel('digital-products')
export class DigitalProductsRepository {
  constructor(private readonly database: Sql) {}

  @Reads(digitalProductEvents, 'digital-products', { table: 'digital_product' })
  async applyProducts(events: readonly ProductEvent[], tx: EntityManager): Promise<void> {
    await writeNewest(
      tx,
      { table: 'digital_product', key: ['digital_product_id'] },
      events.map(({ data, aggregate_version: version }) => ({
        digital_product_id: data.digital_product_id,
        site_id: data.site_id,
        version,
        slug: data.slug,
        name: data.name,
        description: data.description,
        image_url: data.image_url,
        state: data.state,
        download_limit: data.download_limit,
        files: data.files,
      })),
    );
  }

  @Reads(digitalProductGrantEvents, 'digital-product-grants', { table: 'digital_product_grant' })
  async applyGrants(events: readonly GrantEvent[], tx: EntityManager): Promise<void> {
    await writeNewest(
      tx,
      { table: 'digital_product_grant', key: ['grant_id'] },
      ofKnownPeople(events).map(({ data, aggregate_version: version }) => ({
        grant_id: data.grant_id,
        site_id: data.site_id,
        person_id: data.person_id,
        digital_product_id: data.digital_product_id,
        version,
        state: data.state,
        granted_at: data.granted_at,
        expires_at: data.expires_at,
      })),
    );
  }

  /**
   * The file of a download that is allowed now, and the download counted, in one statement. Of two at once the second
   * waits for the row of the count, so that no limit is overrun.
   */
  async takeFile(site_id: string, download: Download, counts: boolean): Promise<FoundFile | undefined> {
    const text = `
      WITH found AS (
        SELECT g.grant_id, g.site_id, d.download_limit, f.file->>'storage_url' AS storage_url,
               ${WITHIN_LIMIT} AS within_limit
        FROM ${GRANT} CROSS JOIN jsonb_array_elements(d.files) AS f (file)
        WHERE g.site_id = $1 AND g.person_id = $2 AND g.grant_id = $3 AND (f.file->>'file_id')::uuid = $4
          AND ${VISIBLE} AND NOT ${EXPIRED} AND EXISTS (SELECT FROM ${presentMember('$1', '$2')})),
      counted AS (
        INSERT INTO digital_product_download AS old (grant_id, site_id, count, last_at)
        SELECT grant_id, site_id, 1, now() FROM found WHERE $5
        ON CONFLICT (grant_id) DO UPDATE SET count = old.count + 1, last_at = excluded.last_at
          WHERE old.count < coalesce((SELECT download_limit FROM found), 2147483647)
        RETURNING 1)
      SELECT storage_url, CASE WHEN $5 THEN EXISTS (SELECT FROM counted) ELSE within_limit END AS allowed FROM found`;
    const values = [site_id, download.person_id, download.grant_id, download.file_id, counts];
    const [row] = await this.database.query<FoundFile>({ name: 'take_digital_product_file', text }, values);
    return row;
  }
}
