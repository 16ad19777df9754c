import { z } from 'zod';

/** `#rrggbb` in lower case only, because it is inserted into style sheets. */
export const colorSchema = z.string().regex(/^#[0-9a-f]{6}$/, 'A color such as #1d4ed8');

/** Font families of every device, so that no font is loaded. */
export const FONT_FAMILIES = ['sans', 'serif', 'rounded', 'monospace'] as const;
export const CORNERS = ['square', 'small', 'medium', 'large'] as const;

/** Appearance of a site's pages. Null: the platform's default. */
export const themeSchema = z.object({
  /** Page background. */
  background_color: colorSchema.nullable(),
  /** Background of text. */
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
