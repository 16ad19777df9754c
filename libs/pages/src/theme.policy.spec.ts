import {
  DEFAULT_COLORS,
  NO_THEME,
  TEXT_CONTRAST,
  channelsOf,
  contrastRatio,
  luminance,
  unreadablePairs,
} from '@lyceum/contracts';
import type { Colors, Theme } from '@lyceum/contracts';
import { darkColors, paletteOf, themeStyle } from './theme.policy.js';

/** A repeatable random sequence (Park and Miller, 1988). */
function* numbers(seed: number): Generator<number, never> {
  for (let value = seed; ;) {
    value = (value * 48_271) % 2_147_483_647;
    yield value;
  }
}

/** Themes that the school accepts, of any colors. */
function readableThemes(count: number): Colors[] {
  const source = numbers(7);
  const color = (): string => `#${(source.next().value % 0x1000000).toString(16).padStart(6, '0')}`;
  const found: Colors[] = [];
  while (found.length < count) {
    const colors = {
      background_color: color(),
      surface_color: color(),
      text_color: color(),
      accent_color: color(),
    };
    if (unreadablePairs({ ...NO_THEME, ...colors }).length === 0) found.push(colors);
  }
  return found;
}

const GREYS = { background_color: '#808080', surface_color: '#767676', text_color: '#000000', accent_color: '#000000' };
const DARK = {
  background_color: '#101014',
  surface_color: '#1a1a20',
  text_color: '#f3f3f6',
  accent_color: '#a9c4ff',
};

describe('The colors of the pages', () => {
  const themes = [DEFAULT_COLORS, GREYS, DARK, ...readableThemes(300)];
  const modes = themes.flatMap((colors) => [['light', colors] as const, ['dark', darkColors(colors)] as const]);

  it.each(modes)('reaches a readable contrast in %s mode with %j', (_mode, colors) => {
    const palette = paletteOf(colors);
    const text = [
      ['ink', 'ground'],
      ['ink', 'paper'],
      ['ink', 'field'],
      ['ink', 'notice'],
      ['ink', 'tint'],
      ['quiet', 'ground'],
      ['quiet', 'paper'],
      ['accent', 'paper'],
      ['accent', 'notice'],
      ['on-accent', 'accent'],
      ['alarm', 'paper'],
      ['good', 'paper'],
    ] as const;
    for (const [one, other] of text) {
      expect([one, other, contrastRatio(palette[one], palette[other]) >= TEXT_CONTRAST]).toEqual([one, other, true]);
    }
    // WCAG 2.2, 1.4.11.
    expect(contrastRatio(palette.line, palette.field)).toBeGreaterThanOrEqual(3);
  });
});

describe('The dark colors of a site', () => {
  it.each(readableThemes(100).filter((colors) => luminance(colors.surface_color) > luminance(colors.text_color)))(
    'derives dark surfaces with light text from %j',
    (colors) => {
      const { surface_color, background_color, text_color } = darkColors(colors);
      expect(luminance(surface_color)).toBeLessThan(0.1);
      expect(luminance(background_color)).toBeLessThanOrEqual(luminance(surface_color));
      expect(luminance(text_color)).toBeGreaterThan(0.7);
    },
  );

  it('keeps an accent that is light enough, and the hue of another one', () => {
    expect(darkColors({ ...DEFAULT_COLORS, accent_color: '#ffc46b' }).accent_color).toBe('#ffc46b');
    const [red, green, blue] = channelsOf(darkColors({ ...DEFAULT_COLORS, accent_color: '#7a1f1f' }).accent_color);
    expect([red > green, green]).toEqual([true, blue]);
  });

  it('keeps the colors of a site that is dark itself', () => {
    expect(darkColors(DARK)).toBe(DARK);
  });
});

describe('The style of a theme', () => {
  const style = (theme: Partial<Theme>): string => themeStyle({ ...NO_THEME, ...theme });

  it('adds no style when nothing is set, so that the pages follow the color scheme of the reader', () => {
    expect(style({})).toBe('');
  });

  it('keeps light and dark mode while no color is set', () => {
    expect(style({ font_family: 'serif', corners: 'square' })).toBe(
      ':root{--font:ui-serif,Georgia,serif;--corner:0rem}\n',
    );
  });

  it('sets the colors of both modes, and declares them to the browser', () => {
    expect(style({ accent_color: '#7a1f1f' })).toMatch(
      /^:root\{color-scheme:light dark;.*--accent:#7a1f1f;.*\n@media \(prefers-color-scheme:dark\)\{:root\{.*--accent:#/,
    );
    expect(style(DARK)).toMatch(/^:root\{color-scheme:dark;.*--paper:#1a1a20;[^@]*$/);
  });

  it('builds the style from numbers only, so that no other text of a color gets in', () => {
    const forged = style({ accent_color: '#7a1f1f;}body{display:none' });
    expect(forged).not.toContain('display');
    const rule = String.raw`:root\{(?:[a-z-]+:[a-z0-9#., -]+;?)+\}`;
    expect(forged).toMatch(new RegExp(`^${rule}\\n@media \\(prefers-color-scheme:dark\\)\\{${rule}\\}\\n$`));
  });
});
