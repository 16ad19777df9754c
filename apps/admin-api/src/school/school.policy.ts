import { schoolEvents } from '@lyceum/contracts';
import type { Site } from '@lyceum/contracts';
import type { z } from 'zod';

const settingsSchema = schoolEvents.data.omit({ site_id: true });

/** All settings of a school. */
export type SchoolSettings = z.infer<typeof settingsSchema>;

const NOTHING: SchoolSettings = {
  name: null,
  locale: null,
  timezone: null,
  currency: null,
  contact_email: null,
  support_url: null,
  legal: { name: null, terms_url: null, privacy_url: null },
  url_templates: { course: null, lecture: null, lecturer: null },
  features: { mcp_connections: null },
  subscription_grace_days: 7,
  member_fields: [],
};

/** Stored settings. They can lack templates of this release, and have templates of a newer one. */
export function wholeSettings(stored: Partial<SchoolSettings>): SchoolSettings {
  const url_templates = { ...NOTHING.url_templates, ...stored.url_templates };
  return settingsSchema.parse({ ...NOTHING, ...stored, url_templates });
}

/** The values of identity apply until the school sets its own. */
export function withSite(settings: SchoolSettings, { name, mcp_connections }: Pick<Site, 'name' | 'mcp_connections'>) {
  return {
    ...settings,
    name: settings.name ?? name,
    features: { mcp_connections: settings.features.mcp_connections ?? mcp_connections ?? null },
  };
}
