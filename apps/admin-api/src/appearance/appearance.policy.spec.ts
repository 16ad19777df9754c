import { NO_THEME } from '@lyceum/contracts';
import { changedColumns } from '@lyceum/rest';
import { onePictureEach, pictureUrl, requireReadable, wholeSettings } from './appearance.policy.js';
import type { AppearanceSettings } from './appearance.policy.js';
import { appearance } from './appearance.schema.js';

const NOTHING = wholeSettings({});
const SOMETHING: AppearanceSettings = {
  theme: { ...NO_THEME, accent_color: '#7a1f1f', font_family: 'serif' },
  logo_url: 'https://cdn.example.com/logo.svg',
  favicon_url: 'https://cdn.example.com/icon.png',
  logo_file_id: null,
  favicon_file_id: null,
  navigation: [{ label: 'Courses', url: '/courses' }],
  footer: [{ label: 'Privacy', url: '/privacy' }],
};

const patched = (patch: object): AppearanceSettings => ({
  ...SOMETHING,
  ...changedColumns(SOMETHING, appearance.patch.parse(patch), appearance),
});

describe('a patch of an appearance', () => {
  it.each([
    ['keeps everything without members', {}, {}],
    ['keeps the theme with an empty theme', { theme: {} }, {}],
    [
      'sets one color',
      { theme: { accent_color: '#0b5c86' } },
      { theme: { ...SOMETHING.theme, accent_color: '#0b5c86' } },
    ],
    ['clears one color', { theme: { accent_color: null } }, { theme: { ...SOMETHING.theme, accent_color: null } }],
    ['clears the theme', { theme: null }, { theme: NO_THEME }],
    ['clears the logo', { logo_url: null }, { logo_url: null }],
    ['clears the icon', { favicon_url: null }, { favicon_url: null }],
    [
      'replaces a list',
      { footer: [{ label: 'Terms', url: '/terms' }] },
      { footer: [{ label: 'Terms', url: '/terms' }] },
    ],
    ['empties the lists', { navigation: null, footer: null }, { navigation: [], footer: [] }],
  ])('%s', (_does, patch, changes) => {
    expect(patched(patch)).toEqual({ ...SOMETHING, ...changes });
  });
});

describe('stored settings', () => {
  it('fills missing members of stored settings with defaults', () => {
    expect(wholeSettings({ logo_url: SOMETHING.logo_url })).toEqual({ ...NOTHING, logo_url: SOMETHING.logo_url });
  });

  it('drops members of a newer release and keeps the order of the schema', () => {
    const stored = { ...SOMETHING, banner: 'x', footer: [{ icon: 'x', url: '/privacy', label: 'Privacy' }] };
    expect(JSON.stringify(wholeSettings(stored))).toBe(JSON.stringify(wholeSettings(SOMETHING)));
  });
});

describe('a picture', () => {
  const [URL, SITE] = ['https://cdn.example.com/new.svg', 'https://school.example.com'];
  const [FILE, OTHER] = ['019ab3c0-de90-7a01-9c3d-4e5f60718293', '019ab3c0-de90-7a01-9c3d-4e5f60718294'];
  const at = (id: string) => `${SITE}/files/public/${id}`;
  const byUrl = { logo_url: 'https://cdn.example.com/logo.svg', logo_file_id: null };
  const byFile = { logo_url: null, logo_file_id: FILE };

  it.each([
    ['a file in place of a URL', byUrl, { logo_file_id: FILE }, byFile],
    ['a URL in place of a file', byFile, { logo_url: URL }, { logo_url: URL, logo_file_id: null }],
    ['neither after null for the URL', byFile, { logo_url: null }, { logo_url: null, logo_file_id: null }],
    ['neither after null for the file', byFile, { logo_file_id: null }, { logo_url: null, logo_file_id: null }],
    ['its URL after null for the file', byUrl, { logo_file_id: null }, byUrl],
    ['its file with the URL that was shown for it', byFile, { logo_url: at(FILE) }, byFile],
    [
      'the new file with its URL',
      byUrl,
      { logo_url: at(OTHER), logo_file_id: OTHER },
      { ...byFile, logo_file_id: OTHER },
    ],
    ['the new file with null for the URL', byUrl, { logo_url: null, logo_file_id: FILE }, byFile],
    ['the new URL with null for the file', byFile, { logo_url: URL, logo_file_id: null }, { ...byUrl, logo_url: URL }],
  ])('becomes %s', (_name, current, patch, wanted) => {
    const settings = { ...SOMETHING, ...current };
    expect({ ...settings, ...onePictureEach(settings, patch, SITE) }).toEqual({ ...SOMETHING, ...wanted });
  });

  it('refuses a URL and a file in one request', () => {
    expect(() => onePictureEach(SOMETHING, { favicon_url: URL, favicon_file_id: FILE }, SITE)).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ pointer: '/favicon_url' })] }),
    );
  });

  it('comes from the site, or from elsewhere', () => {
    expect(pictureUrl({ ...SOMETHING, ...byFile }, 'logo', SITE)).toBe(at(FILE));
    expect(pictureUrl(SOMETHING, 'logo', SITE)).toBe(SOMETHING.logo_url);
  });
});

/** The errors of a theme after a request that sets some members. */
function errorsOf(theme: object, set: object): unknown {
  try {
    requireReadable({ ...NO_THEME, ...theme }, set);
    return [];
  } catch (error) {
    return (error as { errors: unknown }).errors;
  }
}

describe('a theme', () => {
  it.each(['#767676', '#000000'])('accepts readable text in %s', (text_color) => {
    const theme = { text_color, background_color: '#ffffff' };
    expect(errorsOf(theme, theme)).toEqual([]);
  });

  it('refuses text with too little contrast and never rounds the ratio up', () => {
    const theme = { accent_color: '#777777' };
    expect(errorsOf(theme, theme)).toEqual([
      {
        pointer: '/theme/accent_color',
        code: 'low_contrast',
        detail: 'accent_color on surface_color reaches 4.47:1, and 4.5:1 is needed',
      },
    ]);
  });

  it('refuses the color that the request sets, even if it is not the text color', () => {
    const theme = { surface_color: '#101014' };
    expect(errorsOf(theme, theme)).toMatchObject([
      { pointer: '/theme/surface_color' },
      { pointer: '/theme/surface_color' },
    ]);
    expect(errorsOf({ text_color: '#eeeeee' }, {})).toMatchObject([
      { pointer: '/theme/text_color' },
      { pointer: '/theme/text_color' },
    ]);
  });
});
