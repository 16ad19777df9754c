import { Injectable } from '@nestjs/common';
import type { StateVersion } from '@lyceum/contracts';
import { writeNewest } from '@lyceum/messaging';
import { Sql, deleteBatch, hostsOf, normalizeHost } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { siteAppearance } from '#src/appearances/appearance.js';
import type { SiteAppearance } from '#src/appearances/appearance.js';
import { rows } from '#src/database/rows.js';
import { siteSettings } from './site.js';
import type { SiteRecord, SiteSchool, SiteSettings } from './site.js';

const COLUMNS = `site_id, base_url, host, name, slug, org_id, state, settings, version,
  (SELECT to_jsonb(a) FROM site_appearances a WHERE a.site_id = sites.site_id) AS appearance,
  (SELECT to_jsonb(s) FROM site_schools s WHERE s.site_id = sites.site_id) AS school`;

interface SiteRow extends Omit<SiteRecord, 'settings' | 'appearance' | 'school'> {
  readonly settings: Partial<SiteSettings>;
  readonly appearance: SiteAppearance | null;
  readonly school: SiteSchool | null;
}

/** Settings of a school from an event. */
export type PublishedSchool = SiteSchool & StateVersion;

/** SQL: leaves out a site whose data is being deleted. */
const PRESENT = 'NOT EXISTS (SELECT FROM deleted_sites d WHERE d.site_id = sites.site_id)';
const BY_HOST = { name: 'site_by_host', text: `SELECT ${COLUMNS} FROM sites WHERE host = ANY($1) AND ${PRESENT}` };
const BY_ID = { name: 'site_by_id', text: `SELECT ${COLUMNS} FROM sites WHERE site_id = $1 AND ${PRESENT}` };
const ALL = { name: 'sites_all', text: `SELECT ${COLUMNS} FROM sites WHERE ${PRESENT} ORDER BY site_id` };

/** One statement deletes at most this number of rows: `statement_timeout` is 5 s. */
const DELETED_TOGETHER = 500;
const DELETED = 'site_id, base_url, org_id, version, deleted_at';

/** SQL: settings of the school take precedence over those of the creation of the site. */
function fromRow(row: SiteRow): SiteRecord {
  const { name = null, mcp_connections = null, locale = null, timezone = null, course_url = null } = row.school ?? {};
  const school = { name, mcp_connections, locale, timezone, course_url };
  const settings = siteSettings(row.settings);
  return {
    ...row,
    name: school.name ?? row.name,
    settings: { ...settings, mcp_connections: school.mcp_connections ?? settings.mcp_connections },
    appearance: siteAppearance(row.appearance),
    school,
  };
}

/** The remains of a deleted site. */
export interface DeletedSite extends Pick<SiteRecord, 'site_id' | 'base_url' | 'org_id' | 'version'> {
  readonly deleted_at: Date;
}

interface Origin {
  readonly base_url: string;
  readonly host: string;
}

export interface NewSite extends Origin {
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

  /** The site that the value of a Host header names. */
  async byHost(value: string): Promise<SiteRecord | undefined> {
    const host = normalizeHost(value);
    const found = await this.sql.query<SiteRow>(BY_HOST, [[host, host.replace(/:\d+$/, '')]]);
    const row = found.find((site) => hostsOf(site).includes(host));
    return row && fromRow(row);
  }

  async byId(siteId: string, tx?: EntityManager): Promise<SiteRecord | undefined> {
    const [row] = await this.sql.query<SiteRow>(BY_ID, [siteId], tx);
    return row && fromRow(row);
  }

  async all(): Promise<SiteRecord[]> {
    const found = await this.sql.query<SiteRow>(ALL, []);
    return found.map(fromRow);
  }

  /** Locks the row for the rest of the transaction. */
  async lock(manager: EntityManager, baseUrl: string): Promise<SiteRecord | undefined> {
    const text = `SELECT ${COLUMNS} FROM sites WHERE base_url = $1 AND ${PRESENT} FOR UPDATE`;
    const [row] = await rows<SiteRow>(manager, text, [baseUrl]);
    return row && fromRow(row);
  }

  async lockById(manager: EntityManager, siteId: string): Promise<SiteRecord | undefined> {
    const text = `SELECT ${COLUMNS} FROM sites WHERE site_id = $1 AND ${PRESENT} FOR UPDATE`;
    const [row] = await rows<SiteRow>(manager, text, [siteId]);
    return row && fromRow(row);
  }

  /** The next batch by id, locked FOR SHARE. */
  async share(manager: EntityManager, after: string | undefined, limit: number): Promise<SiteRecord[]> {
    const found = await rows<SiteRow>(
      manager,
      `SELECT ${COLUMNS} FROM sites WHERE site_id > $1 AND ${PRESENT} ORDER BY site_id LIMIT $2 FOR SHARE`,
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

  /** Changes the origin. Undefined when another site has it. */
  async move(manager: EntityManager, siteId: string, to: Origin): Promise<SiteRecord | undefined> {
    const taken = await rows(manager, 'select 1 from sites where site_id <> $1 and (base_url = $2 or host = $3)', [
      siteId,
      to.base_url,
      to.host,
    ]);
    if (taken.length > 0) return undefined;
    const [row] = await rows<SiteRow>(
      manager,
      `update sites set base_url = $2, host = $3, version = version + 1, updated_at = now()
        where site_id = $1 returning ${COLUMNS}`,
      [siteId, to.base_url, to.host],
    );
    return row && fromRow(row);
  }

  /** Deletes rows that are valid at the former origin only. Passkeys are bound to the host name. */
  async deleteBoundToOrigin(manager: EntityManager, siteId: string, passkeys: boolean): Promise<void> {
    for (const table of ['consents', 'sessions', 'interactions', ...(passkeys ? ['passkeys'] : [])]) {
      const batch = { table, where: 't.site_id = $1', limit: DELETED_TOGETHER };
      while ((await deleteBatch(manager, batch, [siteId])).found > 0);
    }
  }

  /** Marks a site as deleted: from now on it does not exist here. */
  async delete(manager: EntityManager, { site_id, base_url, org_id, version }: SiteRecord): Promise<DeletedSite> {
    const [row] = await rows<DeletedSite>(
      manager,
      `insert into deleted_sites (site_id, base_url, org_id, version) values ($1, $2, $3, $4) returning ${DELETED}`,
      [site_id, base_url, org_id, version + 1],
    );
    if (row === undefined) throw new Error('The deleted site was not recorded');
    return row;
  }

  /** The site that had the origin last. */
  async deletedAt(manager: EntityManager, baseUrl: string): Promise<DeletedSite | undefined> {
    const text = `select ${DELETED} from deleted_sites where base_url = $1 order by deleted_at desc limit 1`;
    const [row] = await rows<DeletedSite>(manager, text, [baseUrl]);
    return row;
  }

  /** Stores the settings of a school unless they are older. @throws for an unknown site */
  async saveSchool(manager: EntityManager, site_id: string, school: PublishedSchool): Promise<void> {
    const { epoch, version, name, mcp_connections, locale, timezone, course_url } = school;
    const row = { site_id, epoch, version, name, mcp_connections, locale, timezone, course_url };
    await writeNewest(manager, { table: 'site_schools', key: ['site_id'] }, [row]);
  }

  /** Changes the named settings only. */
  async update(manager: EntityManager, siteId: string, change: SiteChange): Promise<SiteRecord | undefined> {
    const settings = change.settings === undefined ? null : JSON.stringify(change.settings);
    const [row] = await rows<SiteRow>(
      manager,
      `UPDATE sites SET name = coalesce($2, name), slug = coalesce($3, slug), state = coalesce($4, state),
              settings = settings || coalesce($5, '{}'::jsonb), version = version + 1, updated_at = now()
        WHERE site_id = $1 AND ${PRESENT} RETURNING ${COLUMNS}`,
      [siteId, change.name ?? null, change.slug ?? null, change.state ?? null, settings],
    );
    return row && fromRow(row);
  }
}
