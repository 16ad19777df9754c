import { CORNERS, DEFAULT_COLORS, FONT_FAMILIES, TEXT_CONTRAST } from '@lyceum/contracts';
import { z } from 'zod';
import { rangeFilters, fieldsParameter, httpsUrl, instantOut, listQuery, pageOf, text } from '@lyceum/rest';

/** How far back a site can go. Older revisions are forgotten. */
export const MAX_REVISIONS = 50;
export const MAX_NAVIGATION = 12;
export const MAX_FOOTER = 20;
const LABEL_LENGTH = 60;
const LINK_LENGTH = 500;

const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'A colour such as #1d4ed8')
  .toLowerCase();

const said = (nothing: string, what: string) => ({ description: `${what}; null: ${nothing}` });

const theme = {
  background_color: color.nullable().meta(said(DEFAULT_COLORS.background_color, 'Around what is read')),
  surface_color: color.nullable().meta(said(DEFAULT_COLORS.surface_color, 'What text stands on')),
  text_color: color.nullable().meta(said(DEFAULT_COLORS.text_color, 'Text')),
  accent_color: color.nullable().meta(said(DEFAULT_COLORS.accent_color, 'Links and the main button')),
  font_family: z.enum(FONT_FAMILIES).nullable().meta(said('sans', 'A family that every device has')),
  corners: z.enum(CORNERS).nullable().meta(said('medium', 'How round frames are')),
};

const themeOut = z.object({
  ...theme,
  background_color: z.string().nullable(),
  surface_color: z.string().nullable(),
  text_color: z.string().nullable(),
  accent_color: z.string().nullable(),
});

const URL_CHARACTERS = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/;

/**
 * Stands in pages and, in part, in their headers as it is. So it holds the characters of RFC 3986 only, and nobody's name
 * and password.
 */
const plainUrl = httpsUrl
  .refine((value) => URL_CHARACTERS.test(value), 'Percent-encode what is no character of a URL')
  .refine((value) => {
    const url = URL.parse(value);
    return url?.username === '' && url.password === '';
  }, 'No name and password');

/** Of the site itself. `//` and `/\` would lead elsewhere. */
const path = z
  .string()
  .regex(/^\/(?![/\\])[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/, 'A path of the site, or an https URL')
  .max(LINK_LENGTH);

const link = z.strictObject({ label: text(LABEL_LENGTH), url: z.union([path, plainUrl.max(LINK_LENGTH)]) });
const linkOut = z.object({ label: z.string(), url: z.string() });

const LINKS = { description: 'Links to paths of the site or https URLs; null removes them' };

const editable = {
  logo_url: plainUrl.nullable().meta({ description: 'An https picture in place of the name of the site' }),
  favicon_url: plainUrl.nullable().meta({ description: 'An https picture for tabs and bookmarks' }),
  navigation: z.array(link).max(MAX_NAVIGATION).nullable().meta(LINKS),
  footer: z.array(link).max(MAX_FOOTER).nullable().meta(LINKS),
};

const settings = {
  theme: themeOut,
  logo_url: z.string().nullable(),
  favicon_url: z.string().nullable(),
  navigation: z.array(linkOut),
  footer: z.array(linkOut),
};

const EXAMPLE = {
  theme: {
    background_color: '#e9eff2',
    surface_color: '#ffffff',
    text_color: '#12263a',
    accent_color: '#0b5c86',
    font_family: 'serif',
    corners: 'small',
  },
  logo_url: 'https://cdn.example.com/logo.svg',
  favicon_url: null,
  navigation: [{ label: 'Courses', url: '/courses' }],
  footer: [{ label: 'Privacy', url: 'https://www.example.com/privacy' }],
} as const;

export const appearanceView = z
  .object({
    ...settings,
    updated_at: instantOut.nullable().meta({ description: 'null: nothing was ever set' }),
  })
  .meta({ id: 'Appearance', examples: [{ ...EXAMPLE, updated_at: '2026-11-20T08:00:00.000Z' }] });

export const appearanceGetQuery = z.strictObject({
  fields: fieldsParameter(Object.keys(appearanceView.shape) as [keyof typeof appearanceView.shape]),
});

/** JSON Merge Patch (RFC 7396): what is absent stays, null clears; a list is replaced as a whole. */
export const appearancePatch = z
  .strictObject({
    ...editable,
    theme: z
      .strictObject(theme)
      .partial()
      .nullable()
      .meta({ description: `Text and accent reach a contrast of ${TEXT_CONTRAST}:1 with what they stand on` }),
  })
  .partial()
  .meta({ id: 'AppearancePatch', examples: [{ theme: EXAMPLE.theme, logo_url: EXAMPLE.logo_url }] });
export type AppearancePatch = z.infer<typeof appearancePatch>;

/** How a site looked from then on. */
export const revisionView = z
  .object({
    id: z.uuid(),
    ...settings,
    restored_from: z
      .uuid()
      .nullable()
      .meta({ description: 'The revision that was brought back, perhaps forgotten since' }),
    person_id: z.uuid().meta({ description: 'Who changed it' }),
    client_id: z.string().meta({ description: 'By which application' }),
    created_at: instantOut,
  })
  .meta({
    id: 'AppearanceRevision',
    examples: [
      {
        id: '019ab3c0-c370-7081-a2b3-7e8f90102030',
        ...EXAMPLE,
        restored_from: null,
        person_id: '019ab3c0-c371-7192-b3c4-8f9010203040',
        client_id: 'office',
        created_at: '2026-11-20T08:00:00.000Z',
      },
    ],
  });

export const revisionList = pageOf('AppearanceRevisionList', revisionView);

export const revisionListQuery = listQuery({
  sorts: ['-created_at', 'created_at'],
  fields: Object.keys(revisionView.shape) as [keyof typeof revisionView.shape],
  filters: rangeFilters(['created_at']),
});
export type RevisionListQuery = z.infer<typeof revisionListQuery>;
