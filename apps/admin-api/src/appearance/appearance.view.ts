import { rowTag } from '@lyceum/rest';
import type { AppearanceSettings } from './appearance.policy.js';
import type { Appearance } from './appearance.repository.js';
import { appearance } from './appearance.schema.js';

interface Stored {
  readonly settings: AppearanceSettings;
}

/** The settings are one column. */
export const settingsView = {
  theme: ({ settings }: Stored) => settings.theme,
  logo_url: ({ settings }: Stored) => settings.logo_url,
  favicon_url: ({ settings }: Stored) => settings.favicon_url,
  navigation: ({ settings }: Stored) => settings.navigation,
  footer: ({ settings }: Stored) => settings.footer,
};

/** The appearance in responses, also to the restoration of a revision. */
export const representation = {
  resource: appearance,
  view: settingsView,
  etag: ({ version }: Appearance) => rowTag(version),
};
