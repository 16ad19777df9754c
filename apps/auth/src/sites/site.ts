import type { Site } from '@lyceum/contracts';
import { PLATFORM_HOSTS } from '#src/platforms/platforms.js';
import type { SiteAppearance } from '#src/appearances/appearance.js';

/** What a site lets its clients do; kept in `sites.settings`. */
export interface SiteSettings {
  /** Clients on loopback addresses may register themselves (RFC 7591). */
  readonly loopback_registration: boolean;
  /** … also with `http://localhost`, which common clients send (RFC 8252 §8.3 advises against it). */
  readonly localhost_registration: boolean;
  /** Hosts whose documents (Client ID Metadata Document) are taken as clients. */
  readonly cimd_hosts: readonly string[];
  /** … and those of every other host too. */
  readonly cimd_open: boolean;
  /** The beta feature "MCP connections": owners and admins make OAuth applications in the admin area. */
  readonly mcp_connections: boolean;
}

export interface SiteRecord extends Site {
  readonly settings: SiteSettings;
  readonly appearance: SiteAppearance;
  readonly version: number;
}

const DEFAULTS: SiteSettings = {
  loopback_registration: true,
  localhost_registration: true,
  cimd_hosts: PLATFORM_HOSTS,
  cimd_open: false,
  mcp_connections: false,
};

export function siteSettings(stored: Partial<SiteSettings>): SiteSettings {
  return { ...DEFAULTS, ...stored };
}

/** What other services may know of a site. */
export function toDirectoryEntry(site: SiteRecord): Site {
  const { site_id, base_url, host, name, slug, org_id, state } = site;
  return { site_id, base_url, host, name, slug, org_id, state };
}
