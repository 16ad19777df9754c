import type { Site } from '@lyceum/contracts';
import { PLATFORM_HOSTS } from '#src/platforms/platforms.js';
import type { SiteAppearance } from '#src/appearances/appearance.js';

/** Client settings of a site, stored in `sites.settings`. */
export interface SiteSettings {
  /** Clients on loopback addresses may register themselves (RFC 7591). */
  readonly loopback_registration: boolean;
  /** Also with `http://localhost`, which common clients send (RFC 8252 §8.3 advises against it). */
  readonly localhost_registration: boolean;
  /** Hosts whose documents (Client ID Metadata Document) are accepted as clients. */
  readonly cimd_hosts: readonly string[];
  /** Accepts documents of every other host too. */
  readonly cimd_open: boolean;
  /** The beta feature "MCP connections": owners and admins create OAuth applications in the admin area. */
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

/** The entry of a site for other services. */
export function toDirectoryEntry(site: SiteRecord): Site {
  const { site_id, base_url, host, name, slug, org_id, state } = site;
  return { site_id, base_url, host, name, slug, org_id, state };
}
