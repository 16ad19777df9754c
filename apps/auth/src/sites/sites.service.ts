import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { siteEvents } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { Republication } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { AuditService } from '#src/audit/audit.service.js';
import { GrantsService } from '#src/grants/grants.service.js';
import { toSiteEvent } from './site.event.js';
import { toDirectoryEntry } from './site.js';
import type { SiteRecord, SiteSettings } from './site.js';
import { canonicalOrigin } from './site.policy.js';
import { SiteDirectoryPublisher } from './site-directory.publisher.js';
import { SitesRepository } from './sites.repository.js';
import type { PublishedSchool, SiteChange } from './sites.repository.js';

export interface SiteDefinition {
  readonly base_url: string;
  readonly name: string;
  readonly slug: string;
  readonly org_id?: string | undefined;
}

const ORG_ID_BYTES = 10;

@Injectable()
export class SitesService {
  constructor(
    private readonly sites: SitesRepository,
    private readonly outbox: Outbox,
    private readonly grants: GrantsService,
    private readonly directory: SiteDirectoryPublisher,
    private readonly audit: AuditService,
  ) {}

  byId(siteId: string, tx?: EntityManager): Promise<SiteRecord | undefined> {
    return this.sites.byId(siteId, tx);
  }

  async byOrigin(baseUrl: string): Promise<SiteRecord | undefined> {
    const origin = canonicalOrigin(baseUrl);
    const site = origin && (await this.sites.byHost(origin.host));
    return site?.base_url === origin?.base_url ? site : undefined;
  }

  /** Creates the site of that origin, or updates name and slug of the existing one. Idempotent. */
  async apply(definition: SiteDefinition): Promise<SiteRecord> {
    const origin = canonicalOrigin(definition.base_url);
    if (origin === undefined)
      throw new ApiError('validation_failed', `${definition.base_url} is not an http(s) origin`);
    const site = await this.outbox.transaction(async (manager) => {
      const existing = await this.sites.lock(manager, origin.base_url);
      if (existing === undefined) return this.#create(manager, { ...definition, ...origin });
      // A school that has set its name keeps it.
      const name = existing.school.name ?? definition.name;
      if (existing.name === name && existing.slug === definition.slug) return existing;
      return this.#change(manager, existing.site_id, { name: definition.name, slug: definition.slug });
    });
    await this.directory.put(site);
    return site;
  }

  /** A suspended site is not served, and all its tokens end. */
  async setState(siteId: string, state: SiteRecord['state']): Promise<SiteRecord> {
    const site = await this.outbox.transaction(async (manager) => {
      const changed = await this.#change(manager, siteId, { state });
      if (state === 'suspended') await this.grants.revokeOfSite(manager, siteId, 'site_suspended');
      return changed;
    });
    await this.directory.put(site);
    return site;
  }

  /**
   * Replicas follow within seconds. `change` receives the current settings, locked; an empty change writes nothing.
   * `actor`: a person; null for a command.
   */
  async changeSettings(
    siteId: string,
    change: (settings: SiteSettings) => Partial<SiteSettings>,
    actor: string | null = null,
  ): Promise<SiteRecord> {
    const site = await this.outbox.transaction(async (manager) => {
      const current = await this.sites.lockById(manager, siteId);
      if (current === undefined) throw new ApiError('not_found', 'The site does not exist');
      const settings = change(current.settings);
      if (Object.keys(settings).length === 0) return current;
      return this.#change(manager, siteId, { settings }, actor);
    });
    await this.directory.put(site);
    return site;
  }

  /** Applies settings of the school. Publishes a change that other services see, and writes it to the directory. */
  async followSchool(manager: EntityManager, siteId: string, school: PublishedSchool): Promise<void> {
    const before = await this.sites.lockById(manager, siteId);
    await this.sites.saveSchool(manager, siteId, school);
    const after = await this.sites.lockById(manager, siteId);
    if (before === undefined || after === undefined) throw new Error(`The site ${siteId} does not exist`);
    const entry = toDirectoryEntry(after);
    if (isDeepStrictEqual(entry, toDirectoryEntry(before))) return;
    await this.#emit(manager, 'updated', await this.#next(manager, siteId, {}));
    const { name, mcp_connections } = entry;
    if (name === before.name && mcp_connections === before.settings.mcp_connections) return;
    await this.audit.record({ event: 'site.changed', site_id: siteId, details: { name, mcp_connections } }, manager);
  }

  async #create(manager: EntityManager, site: SiteDefinition & { host: string }): Promise<SiteRecord> {
    const org_id = site.org_id ?? `org_${randomBytes(ORG_ID_BYTES).toString('hex')}`;
    const created = await this.sites.insert(manager, { ...site, org_id });
    if (created === undefined)
      throw new ApiError('already_exists', 'The origin, slug or org id belongs to another site');
    await this.#emit(manager, 'created', created);
    return created;
  }

  async #change(
    manager: EntityManager,
    siteId: string,
    change: SiteChange,
    actor: string | null = null,
  ): Promise<SiteRecord> {
    const changed = await this.#next(manager, siteId, change);
    await this.#emit(manager, 'updated', changed);
    const entry = { site_id: siteId, person_id: actor, details: { ...change } };
    await this.audit.record({ event: 'site.changed', ...entry }, manager);
    return changed;
  }

  /** Writes the next version of a site. @throws `not_found` */
  async #next(manager: EntityManager, siteId: string, change: SiteChange): Promise<SiteRecord> {
    const changed = await this.sites.update(manager, siteId, change);
    if (changed === undefined) throw new ApiError('not_found', 'The site does not exist');
    return changed;
  }

  republication(): Republication<typeof siteEvents> {
    return {
      events: siteEvents,
      batch: async (manager, [after], limit) =>
        (await this.sites.share(manager, after, limit)).map((site) => ({
          key: [site.site_id],
          event: toSiteEvent(site),
        })),
    };
  }

  #emit(manager: EntityManager, name: 'created' | 'updated', site: SiteRecord): Promise<void> {
    return this.outbox.add(manager, siteEvents, name, toSiteEvent(site));
  }
}
