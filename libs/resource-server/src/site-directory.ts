import { Injectable, Logger } from '@nestjs/common';
import { SITES_BUCKET, siteSchema } from '@lyceum/contracts';
import type { Site } from '@lyceum/contracts';
import { KeyValue } from '@lyceum/messaging';
import { HealthRegistry } from '@lyceum/platform';
import { hostsOf, normalizeHost } from './site-hosts.js';

/**
 * The sites of the deployment, in memory: a mirror of the KV bucket that auth writes. It stays as it was while NATS is away.
 * A suspended site has no host here, and so is unknown on every surface.
 */
@Injectable()
export class SiteDirectory {
  readonly #logger = new Logger(SiteDirectory.name);
  readonly #byId = new Map<string, Site>();
  readonly #byHost = new Map<string, Site>();
  readonly #byOrgId = new Map<string, Site>();
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

  /** False until the directory was read once: then nothing can be said about any host. */
  get loaded(): boolean {
    return this.#loaded;
  }

  byHost(host: string): Site | undefined {
    return this.#byHost.get(host) ?? this.#byHost.get(normalizeHost(host));
  }

  byId(id: string): Site | undefined {
    return this.#byId.get(id);
  }

  /** By its public id; a suspended site too. */
  byOrgId(orgId: string): Site | undefined {
    return this.#byOrgId.get(orgId);
  }

  #put(siteId: string, site: Site | undefined): void {
    const previous = this.#byId.get(siteId);
    if (previous !== undefined) this.#byOrgId.delete(previous.org_id);
    if (site !== undefined) this.#byOrgId.set(site.org_id, site);
    const freed = this.#release(siteId);
    if (site === undefined) this.#byId.delete(siteId);
    else {
      this.#byId.set(siteId, site);
      this.#claim(site);
    }
    // A host that moves from one site to another may arrive there before it has left.
    if (freed.length === 0) return;
    for (const other of this.#byId.values()) {
      if (hostsOf(other).some((host) => freed.includes(host) && !this.#byHost.has(host))) this.#claim(other);
    }
  }

  /** Takes the hosts of a site out of the directory, and says which they were. */
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
