import {
  DEFAULT_COLORS,
  TEXT_CONTRAST,
  channelsOf,
  colorsOf,
  contrastRatio,
  luminance,
  unreadablePairs,
  wholeTheme,
} from './theme.policy.js';
import { NO_THEME, colorSchema, themeSchema } from './theme.js';

describe('a color', () => {
  it.each(['#000000', '#ffffff', '#1d4ed8'])('accepts %s', (color) => {
    expect(colorSchema.safeParse(color).success).toBe(true);
  });

  it.each([
    'red',
    '#FFF',
    '#fff',
    '#1D4ED8',
    '#1d4ed8ff',
    '#1d4ed',
    ' #1d4ed8',
    '#1d4ed8\n',
    '#1d4ed8;}body{display:none',
    'red;} body{display:none',
    'var(--ink)',
    'url(https://x.example)',
    '',
    null,
  ])('rejects %j', (color) => {
    expect(colorSchema.safeParse(color).success).toBe(false);
  });

  it('consists of three channels', () => {
    expect(channelsOf('#0180ff')).toEqual([1, 128, 255]);
  });
});

describe('contrast', () => {
  it('equals 21 between black and white, 1 between equal colors, and is symmetric', () => {
    expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 10);
    expect(contrastRatio('#123456', '#123456')).toBe(1);
    expect(contrastRatio('#1d4ed8', '#ffffff')).toBe(contrastRatio('#ffffff', '#1d4ed8'));
    expect([luminance('#000000'), luminance('#ffffff')]).toEqual([0, 1]);
  });

  // As the contrast checkers of WebAIM and of browsers calculate it.
  it.each([
    ['#767676', '#ffffff', 4.54],
    ['#777777', '#ffffff', 4.48],
    ['#1d4ed8', '#ffffff', 6.7],
    ['#ff0000', '#ffffff', 4.0],
    ['#0000ff', '#000000', 2.44],
  ])('computes %s on %s as %d', (one, other, ratio) => {
    expect(contrastRatio(one, other)).toBeCloseTo(ratio, 1);
  });
});

describe('a theme', () => {
  it('defines no colors when it sets none', () => {
    expect(colorsOf(NO_THEME)).toBeUndefined();
    expect(colorsOf({ ...NO_THEME, font_family: 'serif', corners: 'square' })).toBeUndefined();
  });

  it('uses the other colors of the platform when it sets one', () => {
    expect(colorsOf({ ...NO_THEME, accent_color: '#7a1f1f' })).toEqual({ ...DEFAULT_COLORS, accent_color: '#7a1f1f' });
  });

  it('stays readable with the platform’s colors', () => {
    expect(unreadablePairs(NO_THEME)).toEqual([]);
  });

  it.each([
    ['text just dark enough', { text_color: '#767676', background_color: '#ffffff' }, []],
    [
      'text just too light',
      { text_color: '#777777', background_color: '#ffffff' },
      ['text_color on background_color', 'text_color on surface_color'],
    ],
    ['an accent just dark enough', { accent_color: '#767676' }, []],
    ['an accent just too light', { accent_color: '#777777' }, ['accent_color on surface_color']],
    [
      'dark ground under dark text',
      { surface_color: '#101014' },
      ['text_color on surface_color', 'accent_color on surface_color'],
    ],
    [
      'a dark theme',
      { background_color: '#101014', surface_color: '#1a1a20', text_color: '#f3f3f6', accent_color: '#a9c4ff' },
      [],
    ],
  ])('reports the unreadable pairs of %s: %s', (_what, part, unreadable) => {
    const found = unreadablePairs({ ...NO_THEME, ...part });
    expect(found.map(({ text, ground }) => `${text} on ${ground}`)).toEqual(unreadable);
    for (const { ratio } of found) expect(ratio).toBeLessThan(TEXT_CONTRAST);
  });

  it('gets the platform’s default for a member that is newer than the stored theme', () => {
    expect(wholeTheme(undefined)).toEqual(NO_THEME);
    expect(wholeTheme({ accent_color: '#7a1f1f' })).toEqual({ ...NO_THEME, accent_color: '#7a1f1f' });
    expect(themeSchema.safeParse(wholeTheme({})).success).toBe(true);
  });
});
