import { editable, readOnly, resource } from '@lyceum/collections';
import type { ListQueryOf, PatchOf } from '@lyceum/collections';
import { CORNERS, DEFAULT_COLORS, FONT_FAMILIES, NO_THEME, TEXT_CONTRAST } from '@lyceum/contracts';
import { httpsUrl, idIn, instantOut, text } from '@lyceum/rest';
import { z } from 'zod';

/** Older revisions are deleted. */
export const MAX_REVISIONS = 50;
const MAX_NAVIGATION = 12;
const MAX_FOOTER = 20;
const LABEL_LENGTH = 60;
const LINK_LENGTH = 500;

const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'A color such as #1d4ed8')
  .toLowerCase();

const orDefault = (of: string, value: string) => ({ description: `${of}; null: ${value}` });

const theme = z.strictObject({
  background_color: color.nullable().meta(orDefault('Background of the page', DEFAULT_COLORS.background_color)),
  surface_color: color.nullable().meta(orDefault('Background of text', DEFAULT_COLORS.surface_color)),
  text_color: color.nullable().meta(orDefault('Text', DEFAULT_COLORS.text_color)),
  accent_color: color.nullable().meta(orDefault('Links and the main button', DEFAULT_COLORS.accent_color)),
  font_family: z.enum(FONT_FAMILIES).nullable().meta(orDefault('A family that every device has', 'sans')),
  corners: z.enum(CORNERS).nullable().meta(orDefault('Roundness of frames', 'medium')),
});

const URL_CHARACTERS = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/;

/**
 * Pages and some of their headers have it unescaped, so it has only the characters of RFC 3986, and no user name
 * or password.
 */
const plainUrl = httpsUrl
  .refine((value) => URL_CHARACTERS.test(value), 'Characters that a URL cannot have must be percent-encoded')
  .refine((value) => {
    const url = URL.parse(value);
    return url?.username === '' && url.password === '';
  }, 'No user name and password');

/** A path of the site itself. `//` and `/\` would lead elsewhere. */
const path = z
  .string()
  .regex(/^\/(?![/\\])[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/, 'A path of the site, or an https URL')
  .max(LINK_LENGTH);

const link = z.strictObject({ label: text(LABEL_LENGTH), url: z.union([path, plainUrl.max(LINK_LENGTH)]) });

const LINKS = { description: 'Links to paths of the site or https URLs; null removes them' };

const picture = idIn.nullable();

const settings = {
  theme: editable(theme),
  logo_url: editable(
    plainUrl
      .nullable()
      .meta({ description: 'Picture in place of the name of the site: an https URL, or that of the file' }),
  ),
  logo_file_id: editable(
    picture.meta({ description: 'A file of the purpose logo that is ready; it clears `logo_url`' }),
  ),
  favicon_url: editable(
    plainUrl.nullable().meta({ description: 'Picture for tabs and bookmarks: an https URL, or that of the file' }),
  ),
  favicon_file_id: editable(
    picture.meta({ description: 'A file of the purpose logo that is ready; it clears `favicon_url`' }),
  ),
  navigation: editable(z.array(link).max(MAX_NAVIGATION).meta(LINKS), []),
  footer: editable(z.array(link).max(MAX_FOOTER).meta(LINKS), []),
};

const EXAMPLE = {
  theme: {
    background_color: '#dfe9ee',
    surface_color: '#fbfdfe',
    text_color: '#12263a',
    accent_color: '#0b5c86',
    font_family: 'serif',
    corners: 'small',
  },
  logo_url: 'https://school.example.com/files/public/019ab3c0-de90-7a01-9c3d-4e5f60718293',
  logo_file_id: '019ab3c0-de90-7a01-9c3d-4e5f60718293',
  favicon_url: 'https://cdn.example.com/icon.png',
  favicon_file_id: null,
  navigation: [{ label: 'Courses', url: '/courses' }],
  footer: [{ label: 'Privacy', url: 'https://www.example.com/privacy' }],
} as const;

export const appearance = resource('Appearance', {
  one: 'appearance',
  common: [],
  fields: {
    ...settings,
    updated_at: readOnly(instantOut.nullable().meta({ description: 'null: the site never changed its appearance' })),
  },
  patch: {
    theme: theme
      .partial()
      .nullable()
      .transform((value) => value ?? NO_THEME)
      .optional()
      .meta({
        description: `Text and accent need a contrast of ${TEXT_CONTRAST}:1 with their backgrounds; null clears`,
      }),
  },
  examples: {
    object: { ...EXAMPLE, updated_at: '2026-11-20T08:00:00.000Z' },
    patch: { theme: EXAMPLE.theme, logo_file_id: EXAMPLE.logo_file_id },
  },
});
export type AppearancePatch = PatchOf<typeof appearance>;

/** All settings of the site from a change on. */
export const revision = resource('AppearanceRevision', {
  one: 'revision',
  common: ['id', 'created_at'],
  fields: {
    ...settings,
    restored_from: readOnly(
      z.uuid().nullable().meta({ description: 'The restored revision, which may be deleted by now' }),
    ),
    member_id: readOnly(
      z.uuid().nullable().meta({ description: 'The member who made the change; null in old revisions' }),
    ),
    client_id: readOnly(
      z.string().meta({ description: 'The application that made the change; `admin-area`: a page of the admin area' }),
    ),
  },
  examples: {
    object: {
      id: '019ab3c0-c370-7081-a2b3-7e8f90102030',
      ...EXAMPLE,
      restored_from: null,
      member_id: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
      client_id: 'harbour-import',
      created_at: '2026-11-20T08:00:00.000Z',
    },
  },
});
export type RevisionListQuery = ListQueryOf<typeof revision>;
