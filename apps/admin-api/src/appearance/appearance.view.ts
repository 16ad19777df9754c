import type { z } from 'zod';
import { REVALIDATED, iso, rowTag } from '@lyceum/rest';
import type { AppearanceSettings } from './appearance.policy.js';
import type { Appearance, Revision } from './appearance.repository.js';
import type { appearanceView, revisionView } from './appearance.schema.js';

/** Named one by one: jsonb has an order of its own, and may hold what came later. */
function viewSettings({ theme, logo_url, favicon_url, navigation, footer }: AppearanceSettings) {
  const { background_color, surface_color, text_color, accent_color, font_family, corners } = theme;
  const links = (list: AppearanceSettings['footer']) => list.map(({ label, url }) => ({ label, url }));
  return {
    theme: { background_color, surface_color, text_color, accent_color, font_family, corners },
    logo_url,
    favicon_url,
    navigation: links(navigation),
    footer: links(footer),
  };
}

export function viewAppearance(row: Appearance): z.infer<typeof appearanceView> {
  return { ...viewSettings(row.settings), updated_at: iso(row.updated_at) };
}

export function viewRevision(row: Revision): z.infer<typeof revisionView> {
  const { id, restored_from, person_id, client_id, created_at } = row;
  return { id, ...viewSettings(row.settings), restored_from, person_id, client_id, created_at: iso(created_at) };
}

export function appearanceHeaders(row: Appearance): Record<string, string> {
  return { ...REVALIDATED, etag: rowTag(row.version) };
}
