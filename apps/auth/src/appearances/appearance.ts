import { wholeTheme } from '@lyceum/contracts';
import type { Theme } from '@lyceum/contracts';

/** The appearance that pages show. Version 0: the school has not published one. */
export interface SiteAppearance {
  readonly version: number;
  readonly theme: Theme;
  /** An https URL, or the path of a file at the site. */
  readonly logo_url: string | null;
  readonly favicon_url: string | null;
}

/** A row of `site_appearances`, possibly written by an older release; null without one. */
export function siteAppearance(stored: SiteAppearance | null): SiteAppearance {
  return {
    version: stored?.version ?? 0,
    theme: wholeTheme(stored?.theme),
    logo_url: stored?.logo_url ?? null,
    favicon_url: stored?.favicon_url ?? null,
  };
}
