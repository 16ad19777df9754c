import { DEFAULT_COLORS, TEXT_CONTRAST, channelsOf, colorsOf, contrastRatio, luminance } from '@lyceum/contracts';
import type { Colors, Theme } from '@lyceum/contracts';

/** WCAG 2.2, 1.4.11: the minimum for the frames of fields. */
const FRAME_CONTRAST = 3;
/** More than text needs: thin light text on dark looks weaker than its ratio says. */
const ACCENT_IN_DARK = 6;
const BLACK = '#000000';
const WHITE = '#ffffff';

/** The colors of the style sheet, by their names there. */
export type Palette = Readonly<
  Record<
    | 'ink'
    | 'ground'
    | 'paper'
    | 'quiet'
    | 'edge'
    | 'line'
    | 'accent'
    | 'on-accent'
    | 'tint'
    | 'alarm'
    | 'good'
    | 'notice'
    | 'field',
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
    tint: firstOf([mixed(accent, paper, 0.1), mixed(accent, paper, 0.05)], [ink, accent], TEXT_CONTRAST, paper),
    alarm: firstOf(['#9f1239', '#ffb4c4'], [paper], TEXT_CONTRAST, ink),
    good: firstOf(['#166534', '#86efac'], [paper], TEXT_CONTRAST, ink),
    notice: firstOf(['#fff4d6', '#35290b'], [ink, accent], TEXT_CONTRAST, paper),
    field: paper,
  };
}

/** Fonts of every system. `system-ui` alone is a serif font on some of them. */
const SANS = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",Arial,sans-serif';

/** Dark surfaces of the platform, and the text on them. */
const DARK = { background_color: '#101014', surface_color: '#1a1a20', text_color: '#f3f3f6' } as const;
/** The share of the accent in dark surfaces: a trace of the site's hue. */
const DARK_TRACE = 0.08;
/** Shares of the accent in white, from the accent itself to white. */
const LIGHTER = Array.from({ length: 21 }, (_value, index) => 1 - index / 20);

export const isDark = ({ surface_color, text_color }: Colors): boolean =>
  luminance(surface_color) < luminance(text_color);

/**
 * The colors of a site in dark mode: dark surfaces with a trace of its accent, and the accent as light as text needs
 * it. A site whose own surfaces are dark keeps them.
 */
export function darkColors(colors: Colors): Colors {
  if (isDark(colors)) return colors;
  const { accent_color } = colors;
  const surface_color = mixed(accent_color, DARK.surface_color, DARK_TRACE);
  const background_color = mixed(accent_color, DARK.background_color, DARK_TRACE);
  const accents = LIGHTER.map((share) => mixed(accent_color, WHITE, share));
  return {
    ...DARK,
    surface_color,
    background_color,
    accent_color: firstOf(accents, [surface_color], ACCENT_IN_DARK, WHITE),
  };
}

const FONTS: Readonly<Record<NonNullable<Theme['font_family']>, string>> = {
  sans: SANS,
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

/** The declarations of a palette. Colors are built from numbers here, so that no other text of a color gets in. */
const declarations = (palette: Palette): string[] =>
  Object.entries(palette).map(([name, color]) => `--${name}:${mixed(color, color, 1)}`);

const rule = (properties: readonly string[]): string =>
  properties.length === 0 ? '' : `:root{${properties.join(';')}}\n`;

/** The rule for the colors in both modes. */
function colorRules(colors: Colors): string {
  const scheme = isDark(colors) ? 'dark' : 'light dark';
  const light = rule([`color-scheme:${scheme}`, ...declarations(paletteOf(colors))]);
  if (scheme === 'dark') return light;
  return `${light}@media (prefers-color-scheme:dark){${rule(declarations(paletteOf(darkColors(colors)))).trimEnd()}}\n`;
}

/** The custom properties of the platform, for a site without a theme. */
export const DEFAULT_THEME = rule([`--font:${SANS}`, '--corner:.75rem']) + colorRules(DEFAULT_COLORS);

/** The style of a theme, after the style of all pages: custom properties with constant values, or numbers. */
export function themeStyle(theme: Theme): string {
  const colors = colorsOf(theme);
  const shape = [
    theme.font_family && `--font:${FONTS[theme.font_family]}`,
    theme.corners && `--corner:${CORNERS[theme.corners]}`,
  ].filter((property) => property !== null);
  return (colors === undefined ? '' : colorRules(colors)) + rule(shape);
}
