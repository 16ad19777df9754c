import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { siteAppearance } from '#src/appearances/appearance.js';
import type { SiteAppearance } from '#src/appearances/appearance.js';
import { rows } from '#src/database/rows.js';
import { siteSettings } from './site.js';
import type { SiteRecord, SiteSettings } from './site.js';

const COLUMNS = `site_id, base_url, host, name, slug, org_id, state, settings, version,
  (SELECT to_jsonb(a) FROM site_appearances a WHERE a.site_id = sites.site_id) AS appearance`;

interface SiteRow extends Omit<SiteRecord, 'settings' | 'appearance'> {
  readonly settings: Partial<SiteSettings>;
  readonly appearance: SiteAppearance | null;
}

const BY_HOST = { name: 'site_by_host', text: `SELECT ${COLUMNS} FROM sites WHERE host = ANY($1)` };
const BY_ID = { name: 'site_by_id', text: `SELECT ${COLUMNS} FROM sites WHERE site_id = $1` };
const ALL = { name: 'sites_all', text: `SELECT ${COLUMNS} FROM sites ORDER BY site_id` };

const fromRow = (row: SiteRow): SiteRecord => ({
  ...row,
  settings: siteSettings(row.settings),
  appearance: siteAppearance(row.appearance),
});

export interface NewSite {
  readonly base_url: string;
  readonly host: string;
  readonly name: string;
  readonly slug: string;
  readonly org_id: string;
}

export interface SiteChange extends Partial<Pick<SiteRecord, 'name' | 'slug' | 'state'>> {
  readonly settings?: Partial<SiteSettings>;
}

@Injectable()
export class SitesRepository {
  constructor(private readonly sql: Sql) {}

  async byHosts(hosts: readonly string[]): Promise<SiteRecord | undefined> {
    const [row] = await this.sql.query<SiteRow>(BY_HOST, [hosts]);
    return row && fromRow(row);
  }

  async byId(siteId: string): Promise<SiteRecord | undefined> {
    const [row] = await this.sql.query<SiteRow>(BY_ID, [siteId]);
    return row && fromRow(row);
  }

  async all(): Promise<SiteRecord[]> {
    const found = await this.sql.query<SiteRow>(ALL, []);
    return found.map(fromRow);
  }

  /** Locks the row for the rest of the transaction. */
  async lock(manager: EntityManager, baseUrl: string): Promise<SiteRecord | undefined> {
    const [row] = await rows<SiteRow>(manager, `SELECT ${COLUMNS} FROM sites WHERE base_url = $1 FOR UPDATE`, [
      baseUrl,
    ]);
    return row && fromRow(row);
  }

  async lockById(manager: EntityManager, siteId: string): Promise<SiteRecord | undefined> {
    const [row] = await rows<SiteRow>(manager, `SELECT ${COLUMNS} FROM sites WHERE site_id = $1 FOR UPDATE`, [siteId]);
    return row && fromRow(row);
  }

  /** The next batch by id, locked FOR SHARE. */
  async share(manager: EntityManager, after: string | undefined, limit: number): Promise<SiteRecord[]> {
    const found = await rows<SiteRow>(
      manager,
      `SELECT ${COLUMNS} FROM sites WHERE site_id > $1 ORDER BY site_id LIMIT $2 FOR SHARE`,
      [after, limit],
    );
    return found.map(fromRow);
  }

  /** Undefined when the origin, slug or org id is taken. */
  async insert(manager: EntityManager, site: NewSite): Promise<SiteRecord | undefined> {
    const [row] = await rows<SiteRow>(
      manager,
      `INSERT INTO sites (base_url, host, name, slug, org_id) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
      [site.base_url, site.host, site.name, site.slug, site.org_id],
    );
    return row && fromRow(row);
  }

  /** Changes the named settings only. */
  async update(manager: EntityManager, siteId: string, change: SiteChange): Promise<SiteRecord | undefined> {
    const settings = change.settings === undefined ? null : JSON.stringify(change.settings);
    const [row] = await rows<SiteRow>(
      manager,
      `UPDATE sites SET name = coalesce($2, name), slug = coalesce($3, slug), state = coalesce($4, state),
              settings = settings || coalesce($5, '{}'::jsonb), version = version + 1, updated_at = now()
        WHERE site_id = $1 RETURNING ${COLUMNS}`,
      [siteId, change.name ?? null, change.slug ?? null, change.state ?? null, settings],
    );
    return row && fromRow(row);
  }
}
