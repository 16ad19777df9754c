import { z } from 'zod';
import { themeSchema } from './theme.js';
import { defineEntityEvents } from '../platform/event.js';

const link = z.object({
  label: z.string(),
  /** An https URL, or a path of the site. */
  url: z.string(),
});

/** Appearance of a site's pages; `aggregate_id` is `site_id`. A site without settings has no event. */
export const appearanceEvents = defineEntityEvents({
  context: 'school',
  entity: 'appearance',
  version: 1,
  names: ['updated', 'republished'],
  data: z.object({
    site_id: z.uuid(),
    theme: themeSchema,
    logo_url: z.url({ protocol: /^https$/ }).nullable(),
    favicon_url: z.url({ protocol: /^https$/ }).nullable(),
    /** Paths of pictures that are files of the site. Such a picture has no URL. */
    logo_path: z.string().nullable().optional(),
    favicon_path: z.string().nullable().optional(),
    navigation: z.array(link),
    footer: z.array(link),
  }),
});
