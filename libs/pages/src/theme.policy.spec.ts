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
import fc from 'fast-check';
import { darkColors, paletteOf, themeStyle } from './theme.policy.js';

const color = fc.nat(0xff_ff_ff).map((value) => `#${value.toString(16).padStart(6, '0')}`);
/** Colors that the school accepts. */
const readable = fc
  .record<Colors>({ background_color: color, surface_color: color, text_color: color, accent_color: color })
  .filter((colors) => unreadablePairs({ ...NO_THEME, ...colors }).length === 0);

const GREYS = { background_color: '#808080', surface_color: '#767676', text_color: '#000000', accent_color: '#000000' };
const DARK = {
  background_color: '#101014',
  surface_color: '#1a1a20',
  text_color: '#f3f3f6',
  accent_color: '#a9c4ff',
};

describe('The colors of the pages', () => {
  function expectContrast(colors: Colors): void {
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
  }

  it.each([DEFAULT_COLORS, GREYS, DARK])('reaches a readable contrast in both modes with %j', (colors) => {
    expectContrast(colors);
    expectContrast(darkColors(colors));
  });

  it('reaches a readable contrast in both modes with all colors that the school accepts', () => {
    fc.assert(
      fc.property(readable, (colors) => {
        expectContrast(colors);
        expectContrast(darkColors(colors));
      }),
      { numRuns: 300 },
    );
  });
});

describe('The dark colors of a site', () => {
  it('derives dark surfaces with light text from all light colors', () => {
    fc.assert(
      fc.property(readable, (colors) => {
        fc.pre(luminance(colors.surface_color) > luminance(colors.text_color));
        const { surface_color, background_color, text_color } = darkColors(colors);
        expect(luminance(surface_color)).toBeLessThan(0.1);
        expect(luminance(background_color)).toBeLessThanOrEqual(luminance(surface_color));
        expect(luminance(text_color)).toBeGreaterThan(0.7);
      }),
      { numRuns: 100 },
    );
  });

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
    const modes = new RegExp(`^${rule}\\n@media \\(prefers-color-scheme:dark\\)\\{${rule}\\}\\n$`);
    expect(forged).toMatch(modes);
    const text = fc.tuple(color, fc.string()).map((parts) => parts.join(''));
    fc.assert(fc.property(text, (accent_color) => expect(style({ accent_color })).toMatch(modes)));
  });
});
