import { DEFAULT_COLORS, NO_THEME, TEXT_CONTRAST, contrastRatio, unreadablePairs } from '@lyceum/contracts';
import type { Colors, Theme } from '@lyceum/contracts';
import { paletteOf, themeStyle } from './theme.policy.js';

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
  it.each([DEFAULT_COLORS, GREYS, DARK, ...readableThemes(300)])('reaches a readable contrast with %j', (colors) => {
    const palette = paletteOf(colors);
    const text = [
      ['ink', 'ground'],
      ['ink', 'paper'],
      ['ink', 'field'],
      ['ink', 'notice'],
      ['quiet', 'ground'],
      ['quiet', 'paper'],
      ['accent', 'paper'],
      ['accent', 'notice'],
      ['on-accent', 'accent'],
      ['alarm', 'paper'],
    ] as const;
    for (const [one, other] of text) {
      expect([one, other, contrastRatio(palette[one], palette[other]) >= TEXT_CONTRAST]).toEqual([one, other, true]);
    }
    // WCAG 2.2, 1.4.11.
    expect(contrastRatio(palette.line, palette.field)).toBeGreaterThanOrEqual(3);
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

  it('sets the colors in both modes, and declares the color scheme to the browser', () => {
    expect(style({ accent_color: '#7a1f1f' })).toMatch(/^:root\{color-scheme:light;.*--accent:#7a1f1f;/);
    expect(style(DARK)).toMatch(/^:root\{color-scheme:dark;.*--paper:#1a1a20;/);
  });

  it('builds the style from numbers only, so that no other text of a color gets in', () => {
    const forged = style({ accent_color: '#7a1f1f;}body{display:none' });
    expect(forged).not.toContain('display');
    expect(forged).toMatch(/^:root\{(?:[a-z-]+:[a-z0-9#.,-]+;?)+\}\n$/);
  });
});
