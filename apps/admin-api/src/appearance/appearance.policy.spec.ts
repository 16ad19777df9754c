import { NO_THEME } from '@lyceum/contracts';
import { changedColumns } from '@lyceum/rest';
import { requireReadable, wholeSettings } from './appearance.policy.js';
import type { AppearanceSettings } from './appearance.policy.js';
import { appearance } from './appearance.schema.js';

const NOTHING = wholeSettings({});
const SOMETHING: AppearanceSettings = {
  theme: { ...NO_THEME, accent_color: '#7a1f1f', font_family: 'serif' },
  logo_url: 'https://cdn.example.com/logo.svg',
  favicon_url: 'https://cdn.example.com/icon.png',
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
