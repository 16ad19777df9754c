import { Injectable } from '@nestjs/common';
import { siteEvents } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import { AuditService } from '#src/audit/audit.service.js';
import { toSiteEvent } from './site.event.js';
import type { SiteRecord } from './site.js';
import { canonicalOrigin } from './site.policy.js';
import { SiteDirectoryPublisher } from './site-directory.publisher.js';
import { SitesRepository } from './sites.repository.js';

/** Moves a site to another origin. */
@Injectable()
export class SiteMovesService {
  constructor(
    private readonly sites: SitesRepository,
    private readonly outbox: Outbox,
    private readonly directory: SiteDirectoryPublisher,
    private readonly audit: AuditService,
  ) {}

  /**
   * Changes the origin of a suspended site, whose tokens have ended. Sessions and consents end, too, and passkeys if
   * the host name changes: all of them are bound to the former origin.
   *
   * @throws `not_found`, `validation_failed`, `invalid_state` for an active site, `already_exists`
   */
  async move(from: string, to: string): Promise<SiteRecord> {
    const [former, next] = [canonicalOrigin(from), canonicalOrigin(to)];
    if (next === undefined) throw new ApiError('validation_failed', `${to} is not an http(s) origin`);
    const moved = await this.outbox.transaction(async (manager) => {
      const site = former && (await this.sites.lock(manager, former.base_url));
      if (site === undefined) throw new ApiError('not_found', `No site has the base URL ${from}`);
      if (site.base_url === next.base_url) return site;
      if (site.state !== 'suspended') throw new ApiError('invalid_state', `${from} is active: suspend it first`);
      const { site_id, base_url } = site;
      const changed = await this.sites.move(manager, site_id, next);
      if (changed === undefined) throw new ApiError('already_exists', `Another site has the origin ${next.base_url}`);
      const isOtherHost = new URL(base_url).hostname !== new URL(next.base_url).hostname;
      await this.sites.deleteBoundToOrigin(manager, site_id, isOtherHost);
      await this.outbox.add(manager, siteEvents, 'updated', toSiteEvent(changed));
      const details = { base_url: next.base_url, before: base_url };
      await this.audit.record({ event: 'site.changed', site_id, details }, manager);
      return changed;
    });
    await this.directory.put(moved);
    return moved;
  }
}
