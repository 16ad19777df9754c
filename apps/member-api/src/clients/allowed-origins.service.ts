import { Injectable, Logger } from '@nestjs/common';
import type { Site } from '@lyceum/contracts';
import { ClientsRepository } from './clients.repository.js';
import { comparableOrigin } from './origin.policy.js';

/** Injectable settings. */
export class OriginSettings {
  constructor(
    /** Origins that every site allows. */
    readonly extra: readonly string[],
    /** Lifetime of the cached origins of a site, in milliseconds. */
    readonly cacheMs: number,
  ) {}
}

interface Known {
  readonly origins: Promise<ReadonlySet<string>>;
  readonly until: number;
}

/**
 * Origins whose scripts may read the responses: the redirect URIs of member clients, the setting, and the site itself.
 * All origins of a site are read together, so an unknown origin costs no statement of its own.
 */
@Injectable()
export class AllowedOrigins {
  readonly #logger = new Logger(AllowedOrigins.name);
  /** Origins by site. The number of sites bounds the size. */
  readonly #known = new Map<string, Known>();

  constructor(
    private readonly clients: ClientsRepository,
    private readonly settings: OriginSettings,
  ) {}

  async includes({ site_id, base_url }: Site, origin: string): Promise<boolean> {
    const comparable = comparableOrigin(origin);
    if (comparable === undefined) return false;
    if (origin === base_url || this.settings.extra.includes(origin)) return true;
    return (await this.#originsAt(site_id)).has(comparable);
  }

  #originsAt(siteId: string): Promise<ReadonlySet<string>> {
    const known = this.#known.get(siteId);
    if (known !== undefined && performance.now() < known.until) return known.origins;
    const origins = this.#read(siteId);
    this.#known.set(siteId, { origins, until: performance.now() + this.settings.cacheMs });
    return origins;
  }

  /** Returns no origin while PostgreSQL is unavailable; the request itself then gets 503. */
  async #read(siteId: string): Promise<ReadonlySet<string>> {
    try {
      return new Set(await this.clients.originsAt(siteId));
    } catch (error) {
      this.#known.delete(siteId);
      this.#logger.warn({ msg: 'the origins of clients could not be read', err: error });
      return new Set();
    }
  }
}
