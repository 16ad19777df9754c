import { Injectable, Logger } from '@nestjs/common';
import { SITES_BUCKET, siteSchema } from '@lyceum/contracts';
import type { Site } from '@lyceum/contracts';
import { KeyValue } from '@lyceum/messaging';
import { HealthRegistry, hostsOf, normalizeHost } from '@lyceum/platform';

/** `site` is undefined when the site has been deleted. */
type SiteListener = (siteId: string, site: Site | undefined) => void;

/**
 * In-memory directory of the sites: a mirror of the KV bucket that auth writes. It is unchanged while NATS is down. A
 * suspended site has no host here, so every surface treats it as unknown.
 */
@Injectable()
export class SiteDirectory {
  readonly #logger = new Logger(SiteDirectory.name);
  readonly #byId = new Map<string, Site>();
  readonly #byHost = new Map<string, Site>();
  readonly #byOrgId = new Map<string, Site>();
  readonly #changed: SiteListener[] = [];
  #loaded = false;

  constructor(keyValue: KeyValue, health: HealthRegistry) {
    const mirror = keyValue.mirror(SITES_BUCKET, siteSchema);
    mirror.onChange((siteId, site) => this.#put(siteId, site));
    void mirror.ready.then(() => {
      this.#loaded = true;
    });
    health.add({
      name: 'sites',
      ready: () => {
        if (!this.#loaded) throw new Error('the site directory has not been read yet');
      },
    });
  }

  /** False until the first read: no host can be resolved then. */
  get loaded(): boolean {
    return this.#loaded;
  }

  byHost(host: string): Site | undefined {
    return this.#byHost.get(host) ?? this.#byHost.get(normalizeHost(host));
  }

  byId(id: string): Site | undefined {
    return this.#byId.get(id);
  }

  /** Calls the function with each new state of a site. */
  onChange(fn: SiteListener): void {
    this.#changed.push(fn);
  }

  /** Returns a site by its public id, including suspended sites. */
  byOrgId(orgId: string): Site | undefined {
    return this.#byOrgId.get(orgId);
  }

  #put(siteId: string, site: Site | undefined): void {
    const previous = this.#byId.get(siteId);
    if (previous !== undefined && this.#byOrgId.get(previous.org_id)?.site_id === siteId) {
      this.#byOrgId.delete(previous.org_id);
    }
    if (site !== undefined) this.#byOrgId.set(site.org_id, site);
    const freed = this.#release(siteId);
    if (site === undefined) this.#byId.delete(siteId);
    else {
      this.#byId.set(siteId, site);
      this.#claim(site);
    }
    for (const fn of this.#changed) fn(siteId, site);
    // A host that moves between sites may arrive at the new site before it leaves the old one.
    if (freed.length === 0) return;
    for (const other of this.#byId.values()) {
      if (hostsOf(other).some((host) => freed.includes(host) && !this.#byHost.has(host))) this.#claim(other);
    }
  }

  /** Removes the hosts of a site and returns them. */
  #release(siteId: string): string[] {
    const previous = this.#byId.get(siteId);
    const held = previous === undefined ? [] : hostsOf(previous);
    const freed = held.filter((host) => this.#byHost.get(host)?.site_id === siteId);
    for (const host of freed) this.#byHost.delete(host);
    return freed;
  }

  #claim(site: Site): void {
    if (site.state !== 'active') return;
    for (const host of hostsOf(site)) {
      const holder = this.#byHost.get(host);
      if (holder === undefined) this.#byHost.set(host, site);
      else if (holder.site_id !== site.site_id) {
        this.#logger.error(`the host ${host} of site ${site.site_id} belongs to site ${holder.site_id} already`);
      }
    }
  }
}
