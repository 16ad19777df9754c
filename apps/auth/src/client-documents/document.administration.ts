import { Injectable } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { Review } from '#src/clients/client.js';
import type { SiteRecord } from '#src/sites/site.js';
import { SitesService } from '#src/sites/sites.service.js';
import { isPublicName } from './client-id-url.policy.js';
import { DocumentClients } from './document-clients.service.js';
import type { ListedDocument } from './listed-document.js';

export type DocumentSettings = Pick<SiteRecord['settings'], 'cimd_hosts' | 'cimd_open'>;

const LISTED = 500;
const HOSTS = 100;

/** Settings and reviews of clients by document at a site. */
@Injectable()
export class DocumentAdministration {
  constructor(
    private readonly sites: SitesService,
    private readonly clients: DocumentClients,
    private readonly outbox: Outbox,
  ) {}

  async allow(siteId: string, hostname: string): Promise<DocumentSettings> {
    if (!isPublicName(hostname)) throw new ApiError('validation_failed', `${hostname} is not the name of a host`);
    return this.#settings(siteId, ({ cimd_hosts }) => {
      if (cimd_hosts.length >= HOSTS) throw new ApiError('validation_failed', `A site allows ${HOSTS} hosts at most`);
      return { cimd_hosts: [...new Set([...cimd_hosts, hostname])] };
    });
  }

  /** Prevents new authorizations. Existing grants stay until they are revoked or the client is blocked. */
  disallow(siteId: string, hostname: string): Promise<DocumentSettings> {
    return this.#settings(siteId, ({ cimd_hosts }) => ({ cimd_hosts: cimd_hosts.filter((host) => host !== hostname) }));
  }

  open(siteId: string, cimd_open: boolean): Promise<DocumentSettings> {
    return this.#settings(siteId, () => ({ cimd_open }));
  }

  review(siteId: string, clientId: string, review: Review): Promise<void> {
    return this.outbox.transaction((manager) => this.clients.review(manager, siteId, clientId, review));
  }

  /** Clients that wait for a review come first. */
  list(siteId: string): Promise<ListedDocument[]> {
    return this.clients.list(siteId, LISTED);
  }

  async #settings(siteId: string, change: Parameters<SitesService['changeSettings']>[1]): Promise<DocumentSettings> {
    const { settings } = await this.sites.changeSettings(siteId, change);
    return { cimd_hosts: settings.cimd_hosts, cimd_open: settings.cimd_open };
  }
}
