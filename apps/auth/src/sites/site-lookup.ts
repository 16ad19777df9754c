import { Injectable } from '@nestjs/common';
import { AuthSettings } from '#src/auth.environment.js';
import type { SiteRecord } from './site.js';
import { SitesRepository } from './sites.repository.js';

interface Entry {
  readonly site: Promise<SiteRecord | undefined>;
  readonly until: number;
}

const LIMITS = { entries: 4096, hostLength: 255, unknownMs: 1_000 } as const;

/**
 * The site of a Host header, read through a short, bounded cache: a replica sees a changed site after `SITE_CACHE_MS`
 * and queries the database once for many requests, also for unknown hosts.
 */
@Injectable()
export class SiteLookup {
  readonly #entries = new Map<string, Entry>();

  readonly #knownMs: number;

  constructor(
    private readonly sites: SitesRepository,
    { values }: AuthSettings,
  ) {
    this.#knownMs = values.SITE_CACHE_MS;
  }

  async byHost(host: string): Promise<SiteRecord | undefined> {
    if (host === '' || host.length > LIMITS.hostLength) return undefined;
    const kept = this.#entries.get(host);
    const site = await (kept !== undefined && kept.until > Date.now() ? kept.site : this.#read(host));
    return site?.state === 'active' ? site : undefined;
  }

  #read(host: string): Promise<SiteRecord | undefined> {
    if (this.#entries.size >= LIMITS.entries) this.#entries.clear();
    const site = this.sites.byHost(host);
    this.#keep(host, site, this.#knownMs);
    site.then(
      (found) => found === undefined && this.#keep(host, site, Math.min(LIMITS.unknownMs, this.#knownMs)),
      () => this.#entries.delete(host),
    );
    return site;
  }

  #keep(host: string, site: Entry['site'], lifetime: number): void {
    this.#entries.set(host, { site, until: Date.now() + lifetime });
  }
}
