import { wholeTheme } from '@lyceum/contracts';
import type { Theme } from '@lyceum/contracts';

/** What pages show of how the school says that its site looks. Version 0: it has said nothing. */
export interface SiteAppearance {
  readonly version: number;
  readonly theme: Theme;
  readonly logo_url: string | null;
  readonly favicon_url: string | null;
}

/** A row of `site_appearances`, perhaps written before one of the members was there; null when there is none. */
export function siteAppearance(stored: SiteAppearance | null): SiteAppearance {
  return {
    version: stored?.version ?? 0,
    theme: wholeTheme(stored?.theme),
    logo_url: stored?.logo_url ?? null,
    favicon_url: stored?.favicon_url ?? null,
  };
}
