import { rowTag } from '@lyceum/rest';
import { pictureUrl } from './appearance.policy.js';
import type { AppearanceSettings } from './appearance.policy.js';
import type { ShownAppearance } from './appearance.service.js';
import { appearance } from './appearance.schema.js';

interface Stored {
  readonly settings: AppearanceSettings;
  /** Origin of the site, which serves its files. */
  readonly base_url: string;
}

/** The settings are one column. */
export const settingsView = {
  theme: ({ settings }: Stored) => settings.theme,
  logo_url: ({ settings, base_url }: Stored) => pictureUrl(settings, 'logo', base_url),
  logo_file_id: ({ settings }: Stored) => settings.logo_file_id,
  favicon_url: ({ settings, base_url }: Stored) => pictureUrl(settings, 'favicon', base_url),
  favicon_file_id: ({ settings }: Stored) => settings.favicon_file_id,
  navigation: ({ settings }: Stored) => settings.navigation,
  footer: ({ settings }: Stored) => settings.footer,
};

/** The appearance in responses, also to the restoration of a revision. */
export const representation = {
  resource: appearance,
  view: settingsView,
  etag: ({ version }: ShownAppearance) => rowTag(version),
};
