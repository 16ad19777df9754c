import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { SITES_BUCKET } from '@lyceum/contracts';
import { KeyValue, Nats } from '@lyceum/messaging';
import { toDirectoryEntry } from './site.js';
import type { SiteRecord } from './site.js';
import { SitesRepository } from './sites.repository.js';

const RETRY_MS = 1_000;
const REPEAT_MS = 60_000;

/**
 * Keeps the KV bucket `sites` equal to the table: a changed site is written at once, and every replica compares all of
 * them when it starts, when NATS comes back, when the bucket was created again, and once a minute. Equal writes are harmless, so replicas need not agree on
 * who does it, and one that wrote an old value over a newer one is put right.
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
  ) {}

  onApplicationBootstrap(): void {
    this.nats.onConnect(() => this.#wake.abort());
    // A bucket that was created again is empty.
    this.keyValue.onCreated(SITES_BUCKET, () => this.#wake.abort());
    this.#running = this.#run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Never fails: what cannot be written now is written by the next comparison. */
  async put(site: SiteRecord): Promise<boolean> {
    if (!this.nats.connected) return false;
    try {
      await this.keyValue.put(SITES_BUCKET, site.site_id, toDirectoryEntry(site));
      return true;
    } catch (error) {
      this.#logger.warn(`Site ${site.site_id} is not in the directory yet: ${String(error)}`);
      return false;
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

  /** False when something is left to write. */
  async #publishAll(): Promise<boolean> {
    if (!this.nats.connected) return false;
    try {
      for (const site of await this.sites.all()) if (!(await this.put(site))) return false;
      return true;
    } catch (error) {
      this.#logger.warn(`The sites cannot be read for the directory: ${String(error)}`);
      return false;
    }
  }
}
