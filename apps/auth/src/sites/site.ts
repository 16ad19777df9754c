import type { Site } from '@lyceum/contracts';
import { PLATFORM_HOSTS } from '#src/platforms/platforms.js';
import { CREATE_PROMPT, PROMPTS } from '#src/protocol/capabilities.js';
import type { SiteAppearance } from '#src/appearances/appearance.js';

/** Client settings of a site, stored in `sites.settings`. */
export interface SiteSettings {
  /** Clients on loopback addresses may register themselves (RFC 7591). */
  readonly loopback_registration: boolean;
  /** True if clients can register `http://localhost`, which common ones send (RFC 8252 §8.3 advises against it). */
  readonly localhost_registration: boolean;
  /** Hosts whose documents (Client ID Metadata Document) are accepted as clients. */
  readonly cimd_hosts: readonly string[];
  /** Accepts documents of every other host too. */
  readonly cimd_open: boolean;
  /**
   * The beta feature "MCP connections". True: owners and admins create OAuth applications in the admin area. False:
   * `/mcp` accepts no tokens, and none are issued for it. Null: never switched. See ADR 76.
   */
  readonly mcp_connections: boolean | null;
  /** People may create an account, which has the role student. See ADR 112. */
  readonly sign_up: boolean;
  /** Members may sign in by a link that is sent to their email address. */
  readonly sign_in_links: boolean;
}

/** Settings of the site that the school has set: see ADR 75. Null: not set. */
export interface SiteSchool {
  readonly name: string | null;
  readonly mcp_connections: boolean | null;
  /** BCP 47. */
  readonly locale: string | null;
  /** A name of the IANA time zone database. */
  readonly timezone: string | null;
  /** URL template of the page of a course, on the web site of the school. */
  readonly course_url: string | null;
}

export interface SiteRecord extends Site {
  readonly settings: SiteSettings;
  readonly appearance: SiteAppearance;
  readonly school: SiteSchool;
  readonly version: number;
}

const DEFAULTS: SiteSettings = {
  loopback_registration: true,
  localhost_registration: true,
  cimd_hosts: PLATFORM_HOSTS,
  cimd_open: false,
  mcp_connections: null,
  sign_up: false,
  sign_in_links: false,
};

export function siteSettings(stored: Partial<SiteSettings>): SiteSettings {
  return { ...DEFAULTS, ...stored };
}

/** The entry of a site for other services. */
export function toDirectoryEntry(site: SiteRecord): Site {
  const { site_id, base_url, host, name, slug, org_id, state, settings, school } = site;
  const { mcp_connections } = settings;
  const { locale, course_url } = school;
  return { site_id, base_url, host, name, slug, org_id, state, mcp_connections, locale, course_url };
}

/** Returns false if the site has switched off MCP connections. */
export function connectsTools({ settings }: Pick<SiteRecord, 'settings'>): boolean {
  return settings.mcp_connections !== false;
}

/** The values of `prompt` that an authorization request to the site may have. */
export function promptsOf({ settings }: Pick<SiteRecord, 'settings'>): readonly string[] {
  return settings.sign_up ? [...PROMPTS, CREATE_PROMPT] : PROMPTS;
}
