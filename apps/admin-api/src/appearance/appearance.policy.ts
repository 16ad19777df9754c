import { isDeepStrictEqual } from 'node:util';
import { NO_THEME, TEXT_CONTRAST, unreadablePairs, wholeTheme } from '@lyceum/contracts';
import type { Theme, appearanceEvents } from '@lyceum/contracts';
import { Outcome } from '@lyceum/errors';
import type { z } from 'zod';
import type { AppearancePatch } from './appearance.schema.js';

/** Everything that a site says of its looks. */
export type AppearanceSettings = Omit<z.input<(typeof appearanceEvents)['data']>, 'site_id'>;

const NOTHING: AppearanceSettings = { theme: NO_THEME, logo_url: null, favicon_url: null, navigation: [], footer: [] };

/** What was stored, perhaps before one of the members was there. */
export function wholeSettings(stored: Partial<AppearanceSettings>): AppearanceSettings {
  return { ...NOTHING, ...stored, theme: wholeTheme(stored.theme) };
}

/** JSON Merge Patch (RFC 7396), down to the members of the theme. */
export function patched(current: AppearanceSettings, patch: AppearancePatch): AppearanceSettings {
  return {
    theme: patch.theme === null ? NO_THEME : mergedTheme(current.theme, patch.theme ?? {}),
    logo_url: patch.logo_url === undefined ? current.logo_url : patch.logo_url,
    favicon_url: patch.favicon_url === undefined ? current.favicon_url : patch.favicon_url,
    navigation: patch.navigation === undefined ? current.navigation : (patch.navigation ?? []),
    footer: patch.footer === undefined ? current.footer : (patch.footer ?? []),
  };
}

function mergedTheme(current: Theme, patch: NonNullable<AppearancePatch['theme']>): Theme {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...current, ...Object.fromEntries(given) };
}

export function isSame(one: AppearanceSettings, other: AppearanceSettings): boolean {
  return isDeepStrictEqual(one, other);
}

/**
 * Refuses a theme that not everybody can read (WCAG 2.2, 1.4.3). The fault stands where the caller has set something, when
 * that is so: the other colour of the pair may be one that was there.
 */
export function requireReadable(theme: Theme, set: object): void {
  const errors = unreadablePairs(theme).map(({ text, ground, ratio }) => ({
    pointer: `/theme/${text in set || !(ground in set) ? text : ground}`,
    code: 'low_contrast',
    detail: `${text} on ${ground} reaches ${floored(ratio)}:1, and ${TEXT_CONTRAST}:1 is needed`,
  }));
  if (errors.length > 0) throw new Outcome('validation_failed', 'Not everybody could read these colours', { errors });
}

/** Never rounded up: what reaches 4.499 is not shown as 4.5. */
function floored(ratio: number): string {
  return (Math.floor(ratio * 100) / 100).toFixed(2);
}
