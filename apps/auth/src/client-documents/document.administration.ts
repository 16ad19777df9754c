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

type SettingsChange = Parameters<SitesService['changeSettings']>[1];

const LISTED = 500;
/** Hosts that a site allows. */
export const MOST_HOSTS = 100;

/** Settings and reviews of clients by document at a site. */
@Injectable()
export class DocumentAdministration {
  constructor(
    private readonly sites: SitesService,
    private readonly clients: DocumentClients,
    private readonly outbox: Outbox,
  ) {}

  /** `actor`: the person who allows it; null for a command. */
  async allow(siteId: string, hostname: string, actor: string | null = null): Promise<DocumentSettings> {
    if (!isPublicName(hostname)) throw new ApiError('validation_failed', `${hostname} is not the name of a host`);
    const add: SettingsChange = ({ cimd_hosts }) => {
      if (cimd_hosts.includes(hostname)) return {};
      if (cimd_hosts.length >= MOST_HOSTS)
        throw new ApiError('validation_failed', `A site allows ${MOST_HOSTS} hosts at most`);
      return { cimd_hosts: [...cimd_hosts, hostname] };
    };
    return this.#settings(siteId, add, actor);
  }

  /** Prevents new authorizations. Existing grants stay until they are revoked or the client is blocked. */
  disallow(siteId: string, hostname: string, actor: string | null = null): Promise<DocumentSettings> {
    const remove: SettingsChange = ({ cimd_hosts }) =>
      cimd_hosts.includes(hostname) ? { cimd_hosts: cimd_hosts.filter((host) => host !== hostname) } : {};
    return this.#settings(siteId, remove, actor);
  }

  open(siteId: string, cimd_open: boolean): Promise<DocumentSettings> {
    return this.#settings(siteId, () => ({ cimd_open }));
  }

  async review(siteId: string, clientId: string, review: Review): Promise<void> {
    await this.outbox.transaction((manager) => this.clients.review(manager, siteId, clientId, { review, actor: null }));
  }

  /** Clients that wait for a review come first. */
  list(siteId: string): Promise<ListedDocument[]> {
    return this.clients.list(siteId, LISTED);
  }

  async #settings(siteId: string, change: SettingsChange, actor: string | null = null): Promise<DocumentSettings> {
    const { settings } = await this.sites.changeSettings(siteId, change, actor);
    return { cimd_hosts: settings.cimd_hosts, cimd_open: settings.cimd_open };
  }
}
