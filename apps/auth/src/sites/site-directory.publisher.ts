import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { SITES_BUCKET, siteEvents } from '@lyceum/contracts';
import { KeyValue, Nats, Outbox } from '@lyceum/messaging';
import { toDirectoryEntry } from './site.js';
import type { SiteRecord } from './site.js';
import { SitesRepository } from './sites.repository.js';

const RETRY_MS = 1_000;
const REPEAT_MS = 60_000;

/**
 * Keeps the KV bucket `sites` equal to the table. A changed site is written at once. Every replica compares all sites
 * at its start, when NATS reconnects, when the bucket was created again, and once a minute. Equal writes are harmless,
 * so replicas need no coordination, and a write of an old value is corrected.
 */
@Injectable()
export class SiteDirectoryPublisher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(SiteDirectoryPublisher.name);
  readonly #stop = new AbortController();
  #wake = new AbortController();
  #running: Promise<void> | undefined;

  constructor(
    private readonly sites: SitesRepository,
    private readonly keyValue: KeyValue,
    private readonly nats: Nats,
    private readonly outbox: Outbox,
  ) {}

  onApplicationBootstrap(): void {
    this.nats.onConnect(() => this.#wake.abort());
    // A bucket that was created again is empty.
    this.keyValue.onCreated(SITES_BUCKET, () => this.#wake.abort());
    // A consumer changes sites in a transaction that the service does not end itself.
    this.outbox.onCommit((rows) => {
      for (const { subject, aggregate_id } of rows) {
        if (subject.startsWith(`${siteEvents.context}.${siteEvents.entity}.`)) void this.#putById(aggregate_id);
      }
    });
    this.#running = this.#run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Never fails: the next comparison writes the rest. */
  async put(site: SiteRecord): Promise<boolean> {
    if (!this.nats.connected) return false;
    try {
      await this.keyValue.put(SITES_BUCKET, site.site_id, toDirectoryEntry(site));
      return true;
    } catch (error) {
      this.#logger.warn(`failed to write site ${site.site_id} to the directory: ${String(error)}`);
      return false;
    }
  }

  /** Removes a deleted site. @throws `temporarily_unavailable` without NATS */
  remove(siteId: string): Promise<void> {
    return this.keyValue.delete(SITES_BUCKET, siteId);
  }

  async #putById(siteId: string): Promise<void> {
    try {
      const site = await this.sites.byId(siteId);
      if (site !== undefined) await this.put(site);
    } catch (error) {
      this.#logger.warn(`failed to read site ${siteId} for the directory: ${String(error)}`);
    }
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const done = await this.#publishAll();
      this.#wake = new AbortController();
      const signal = AbortSignal.any([this.#stop.signal, this.#wake.signal]);
      await sleep(done ? REPEAT_MS : RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** False when some sites could not be compared or written. */
  async #publishAll(): Promise<boolean> {
    if (!this.nats.connected) return false;
    try {
      const sites = await this.sites.all();
      await this.keyValue.putAll(SITES_BUCKET, new Map(sites.map((site) => [site.site_id, toDirectoryEntry(site)])));
      return true;
    } catch (error) {
      this.#logger.warn(`failed to compare the directory with the sites: ${String(error)}`);
      return false;
    }
  }
}
