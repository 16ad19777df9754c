import { NO_THEME } from '@lyceum/contracts';
import { isSame, patched, requireReadable, wholeSettings } from './appearance.policy.js';
import type { AppearanceSettings } from './appearance.policy.js';

const NOTHING = wholeSettings({});
const SOMETHING: AppearanceSettings = {
  theme: { ...NO_THEME, accent_color: '#7a1f1f', font_family: 'serif' },
  logo_url: 'https://cdn.example.com/logo.svg',
  favicon_url: 'https://cdn.example.com/icon.png',
  navigation: [{ label: 'Courses', url: '/courses' }],
  footer: [{ label: 'Privacy', url: '/privacy' }],
};

describe('a patch of an appearance', () => {
  it.each([
    ['nothing', {}, SOMETHING],
    ['an empty theme', { theme: {} }, SOMETHING],
    [
      'one colour',
      { theme: { accent_color: '#0b5c86' } },
      { ...SOMETHING, theme: { ...SOMETHING.theme, accent_color: '#0b5c86' } },
    ],
    [
      'the end of one colour',
      { theme: { accent_color: null } },
      { ...SOMETHING, theme: { ...SOMETHING.theme, accent_color: null } },
    ],
    ['the end of the theme', { theme: null }, { ...SOMETHING, theme: NO_THEME }],
    ['the end of the logo', { logo_url: null }, { ...SOMETHING, logo_url: null }],
    ['the end of the icon', { favicon_url: null }, { ...SOMETHING, favicon_url: null }],
    [
      'another list',
      { footer: [{ label: 'Terms', url: '/terms' }] },
      { ...SOMETHING, footer: [{ label: 'Terms', url: '/terms' }] },
    ],
    ['the end of the lists', { navigation: null, footer: null }, { ...SOMETHING, navigation: [], footer: [] }],
    ['a member that is undefined', { theme: { accent_color: undefined }, logo_url: undefined }, SOMETHING],
  ])('says %s', (_what, patch, wanted) => {
    expect(patched(SOMETHING, patch)).toEqual(wanted);
  });

  it('is no change when it says what is so, in whatever order a database gives the members', () => {
    const stored = { ...SOMETHING, navigation: [{ url: '/courses', label: 'Courses' }] };
    expect(isSame(patched(stored, { navigation: [{ label: 'Courses', url: '/courses' }] }), SOMETHING)).toBe(true);
    expect(isSame(patched(stored, { navigation: [] }), SOMETHING)).toBe(false);
  });

  it('finds every member of what was stored before that member was there', () => {
    expect(wholeSettings({ logo_url: SOMETHING.logo_url })).toEqual({ ...NOTHING, logo_url: SOMETHING.logo_url });
  });
});

/** The faults of a theme that a caller has set those members of. */
function faultsOf(theme: object, set: object): unknown {
  try {
    requireReadable({ ...NO_THEME, ...theme }, set);
    return [];
  } catch (error) {
    return (error as { errors: unknown }).errors;
  }
}

describe('a theme', () => {
  it.each(['#767676', '#000000'])('is taken with text in %s, which everybody can read', (text_color) => {
    const theme = { text_color, background_color: '#ffffff' };
    expect(faultsOf(theme, theme)).toEqual([]);
  });

  it('is refused with text that is just too light, and says what it reaches, never rounded up', () => {
    const theme = { accent_color: '#777777' };
    expect(faultsOf(theme, theme)).toEqual([
      {
        pointer: '/theme/accent_color',
        code: 'low_contrast',
        detail: 'accent_color on surface_color reaches 4.47:1, and 4.5:1 is needed',
      },
    ]);
  });

  it('is refused where the caller has set something, though the text was there', () => {
    const theme = { surface_color: '#101014' };
    expect(faultsOf(theme, theme)).toMatchObject([
      { pointer: '/theme/surface_color' },
      { pointer: '/theme/surface_color' },
    ]);
    expect(faultsOf({ text_color: '#eeeeee' }, {})).toMatchObject([
      { pointer: '/theme/text_color' },
      { pointer: '/theme/text_color' },
    ]);
  });
});
