import { z } from 'zod';

/** `#rrggbb` in lower case, and nothing else: it is put into style sheets. */
export const colorSchema = z.string().regex(/^#[0-9a-f]{6}$/, 'A color such as #1d4ed8');

/** Families that every device has: no font is loaded for them. */
export const FONT_FAMILIES = ['sans', 'serif', 'rounded', 'monospace'] as const;
export const CORNERS = ['square', 'small', 'medium', 'large'] as const;

/** The looks of a site's pages. Null: as the platform has it. */
export const themeSchema = z.object({
  /** Around what is read. */
  background_color: colorSchema.nullable(),
  /** What text stands on. */
  surface_color: colorSchema.nullable(),
  text_color: colorSchema.nullable(),
  /** Links and the main button. */
  accent_color: colorSchema.nullable(),
  font_family: z.enum(FONT_FAMILIES).nullable(),
  corners: z.enum(CORNERS).nullable(),
});
export type Theme = z.infer<typeof themeSchema>;

export const NO_THEME: Theme = {
  background_color: null,
  surface_color: null,
  text_color: null,
  accent_color: null,
  font_family: null,
  corners: null,
};
