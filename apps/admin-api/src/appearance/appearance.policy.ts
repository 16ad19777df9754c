import { NO_THEME, TEXT_CONTRAST, appearanceEvents, unreadablePairs, wholeTheme } from '@lyceum/contracts';
import type { Theme } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { z } from 'zod';

const settingsSchema = appearanceEvents.data.omit({ site_id: true });

/** All settings of the appearance of a site. */
export type AppearanceSettings = z.infer<typeof settingsSchema>;

const NOTHING: AppearanceSettings = { theme: NO_THEME, logo_url: null, favicon_url: null, navigation: [], footer: [] };

/**
 * Stored settings, in the order of the schema: jsonb has an order of its own. They may lack a member that was added
 * later, and have one that a newer release of the service wrote.
 */
export function wholeSettings(stored: Partial<AppearanceSettings>): AppearanceSettings {
  return settingsSchema.parse({ ...NOTHING, ...stored, theme: wholeTheme(stored.theme) });
}

/**
 * Refuses a theme with unreadable text (WCAG 2.2, 1.4.3). The error points at a color that the request sets, if either
 * color of the pair is one.
 */
export function requireReadable(theme: Theme, set: object): void {
  const errors = unreadablePairs(theme).map(({ text, ground, ratio }) => ({
    pointer: `/theme/${text in set || !(ground in set) ? text : ground}`,
    code: 'low_contrast' as const,
    detail: `${text} on ${ground} reaches ${floored(ratio)}:1, and ${TEXT_CONTRAST}:1 is needed`,
  }));
  if (errors.length > 0) {
    throw new ApiError('validation_failed', `Color contrast is below ${TEXT_CONTRAST}:1 (WCAG 2.2 AA)`, { errors });
  }
}

/** Never rounded up: 4.499 is not shown as 4.5. */
function floored(ratio: number): string {
  return (Math.floor(ratio * 100) / 100).toFixed(2);
}
