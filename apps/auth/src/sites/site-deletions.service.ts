import { Injectable } from '@nestjs/common';
import { ERASED_NAME, siteEvents } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { NewEvent } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { AuditService } from '#src/audit/audit.service.js';
import { SiteDirectoryPublisher } from './site-directory.publisher.js';
import { canonicalOrigin } from './site.policy.js';
import { SitesRepository } from './sites.repository.js';
import type { DeletedSite } from './sites.repository.js';

/** Deletes sites for good: the event makes each service delete all that it has of the site (ADR 120). */
@Injectable()
export class SiteDeletionsService {
  constructor(
    private readonly sites: SitesRepository,
    private readonly outbox: Outbox,
    private readonly directory: SiteDirectoryPublisher,
    private readonly audit: AuditService,
  ) {}

  /**
   * Deletes a suspended site. For the origin of a deleted site, publishes the event again, so that a service whose
   * database was restored deletes the site again.
   *
   * @throws `not_found`, `invalid_state` for an active site, `validation_failed` for another slug
   */
  async delete(baseUrl: string, slug: string): Promise<DeletedSite> {
    const origin = canonicalOrigin(baseUrl);
    const deleted = await this.outbox.transaction(async (manager) => {
      const site = await this.#delete(manager, origin?.base_url ?? baseUrl, slug);
      await this.outbox.add(manager, siteEvents, 'deleted', toEvent(site));
      await this.outbox.eraseSite(manager, site.site_id);
      return site;
    });
    // Without NATS the first pass of the deletion does it.
    await this.directory.remove(deleted.site_id).catch(() => undefined);
    return deleted;
  }

  async #delete(manager: EntityManager, baseUrl: string, slug: string): Promise<DeletedSite> {
    const site = await this.sites.lock(manager, baseUrl);
    if (site === undefined) {
      const earlier = await this.sites.deletedAt(manager, baseUrl);
      if (earlier === undefined) throw new ApiError('not_found', `No site has the base URL ${baseUrl}`);
      return earlier;
    }
    if (site.slug !== slug) throw new ApiError('validation_failed', `The slug of ${baseUrl} is not ${slug}`);
    if (site.state !== 'suspended')
      throw new ApiError('invalid_state', `${baseUrl} is active: suspend it before you delete it`);
    const { site_id } = site;
    await this.audit.record({ event: 'site.deleted', site_id, details: { base_url: baseUrl, slug } }, manager);
    return this.sites.delete(manager, site);
  }
}

function toEvent({ site_id, base_url, org_id, version }: DeletedSite): NewEvent<typeof siteEvents> {
  return {
    aggregate_id: site_id,
    aggregate_version: version,
    site_id,
    data: {
      site_id,
      base_url,
      host: new URL(base_url).host,
      name: ERASED_NAME,
      slug: site_id,
      org_id,
      state: 'suspended',
      mcp_connections: null,
      locale: null,
      course_url: null,
    },
  };
}
