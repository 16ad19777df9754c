import { TEXT_CONTRAST, channelsOf, colorsOf, contrastRatio, luminance } from '@lyceum/contracts';
import type { Colors, Theme } from '@lyceum/contracts';

/** WCAG 2.2, 1.4.11: the minimum for the frames of fields. */
const FRAME_CONTRAST = 3;
const BLACK = '#000000';
const WHITE = '#ffffff';

/** The colors of the style sheet, by their names there. */
type Palette = Readonly<
  Record<
    'ink' | 'ground' | 'paper' | 'quiet' | 'edge' | 'line' | 'accent' | 'on-accent' | 'alarm' | 'notice' | 'field',
    string
  >
>;

const hex = (channel: number): string => Math.round(channel).toString(16).padStart(2, '0');

/** Mixes a share of one color into another, as screens do. */
function mixed(color: string, into: string, share: number): string {
  const ground = channelsOf(into);
  const channels = channelsOf(color).map((channel, index) => hex(share * channel + (1 - share) * (ground[index] ?? 0)));
  return `#${channels.join('')}`;
}

/** The first color that reaches the contrast with all others, or the fallback. */
function firstOf(colors: readonly string[], others: readonly string[], contrast: number, resort: string): string {
  const reaches = (color: string): boolean => others.every((other) => contrastRatio(color, other) >= contrast);
  return colors.find(reaches) ?? resort;
}

/**
 * Every color of the pages from the four that a site chooses. The school ensures that those are readable, and so are
 * all derived colors.
 */
export function paletteOf({ text_color, background_color, surface_color, accent_color }: Colors): Palette {
  const [ink, ground, paper, accent] = [text_color, background_color, surface_color, accent_color];
  const shades = (...shares: number[]): string[] => shares.map((share) => mixed(ink, paper, share));
  return {
    ink,
    ground,
    paper,
    quiet: firstOf(shades(0.75, 0.85), [paper, ground], TEXT_CONTRAST, ink),
    edge: mixed(ink, paper, 0.18),
    line: firstOf(shades(0.5, 0.65, 0.8), [paper], FRAME_CONTRAST, ink),
    accent,
    // One of the two always reaches 4.58.
    'on-accent': contrastRatio(WHITE, accent) >= contrastRatio(BLACK, accent) ? WHITE : BLACK,
    alarm: firstOf(['#9f1239', '#ffb4c4'], [paper], TEXT_CONTRAST, ink),
    notice: firstOf(['#fff4d6', '#35290b'], [ink, accent], TEXT_CONTRAST, paper),
    field: paper,
  };
}

const FONTS: Readonly<Record<NonNullable<Theme['font_family']>, string>> = {
  sans: 'system-ui,sans-serif',
  serif: 'ui-serif,Georgia,serif',
  rounded: 'ui-rounded,system-ui,sans-serif',
  monospace: 'ui-monospace,monospace',
};

const CORNERS: Readonly<Record<NonNullable<Theme['corners']>, string>> = {
  square: '0rem',
  small: '.375rem',
  medium: '.75rem',
  large: '1.25rem',
};

/**
 * The style of a theme, after the style of all pages: custom properties with constant values, or colors built from
 * numbers here. A site with its own colors uses them in light and dark mode.
 */
export function themeStyle(theme: Theme): string {
  const colors = colorsOf(theme);
  const palette = colors && paletteOf(colors);
  const scheme = palette && (luminance(palette.paper) > luminance(palette.ink) ? 'light' : 'dark');
  const properties = [
    scheme && `color-scheme:${scheme}`,
    ...Object.entries(palette ?? {}).map(([name, color]) => `--${name}:${mixed(color, color, 1)}`),
    theme.font_family && `--font:${FONTS[theme.font_family]}`,
    theme.corners && `--corner:${CORNERS[theme.corners]}`,
  ].filter(Boolean);
  return properties.length === 0 ? '' : `:root{${properties.join(';')}}\n`;
}
