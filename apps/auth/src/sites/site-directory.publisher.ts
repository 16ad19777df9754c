import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { SITES_BUCKET } from '@lyceum/contracts';
import { KeyValue, Nats } from '@lyceum/messaging';
import { toDirectoryEntry } from './site.js';
import type { SiteRecord } from './site.js';
import { SitesRepository } from './sites.repository.js';

/**
 * Keeps the KV bucket `sites` equal to the table. Every replica writes all sites whenever it (re)connects, and a changed
 * one at once: equal writes are harmless, so replicas need not agree on who does it.
 */
@Injectable()
export class SiteDirectoryPublisher implements OnApplicationBootstrap {
  readonly #logger = new Logger(SiteDirectoryPublisher.name);

  constructor(
    private readonly sites: SitesRepository,
    private readonly keyValue: KeyValue,
    private readonly nats: Nats,
  ) {}

  onApplicationBootstrap(): void {
    this.nats.onConnect(() => void this.publishAll());
    if (this.nats.connected) void this.publishAll();
  }

  /** Never fails: without NATS the next connection brings the bucket up to date. */
  async put(site: SiteRecord): Promise<void> {
    if (!this.nats.connected) return;
    try {
      await this.keyValue.put(SITES_BUCKET, site.site_id, toDirectoryEntry(site));
    } catch (error) {
      this.#logger.warn(`Site ${site.site_id} is not in the directory yet: ${String(error)}`);
    }
  }

  async publishAll(): Promise<void> {
    try {
      for (const site of await this.sites.all()) await this.put(site);
    } catch (error) {
      this.#logger.warn(`The site directory is not published yet: ${String(error)}`);
    }
  }
}
