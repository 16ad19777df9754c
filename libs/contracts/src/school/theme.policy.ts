import { NO_THEME } from './theme.js';
import type { Theme } from './theme.js';

/** Default colors of the platform. */
export const DEFAULT_COLORS = {
  background_color: '#f1f2f6',
  surface_color: '#ffffff',
  text_color: '#1c1b22',
  accent_color: '#1d4ed8',
} as const;
export type ColorName = keyof typeof DEFAULT_COLORS;
export type Colors = Readonly<Record<ColorName, string>>;

/** Minimum contrast of text (WCAG 2.2, 1.4.3). */
export const TEXT_CONTRAST = 4.5;

/** Text colors and their backgrounds: each pair must be readable. */
const TEXT_PAIRS: readonly (readonly [text: ColorName, ground: ColorName])[] = [
  ['text_color', 'background_color'],
  ['text_color', 'surface_color'],
  ['accent_color', 'surface_color'],
];

/** All colors of a theme, with defaults for unset ones; undefined for a theme without colors. */
export function colorsOf(theme: Theme): Colors | undefined {
  const names = Object.keys(DEFAULT_COLORS) as ColorName[];
  if (names.every((name) => theme[name] === null)) return undefined;
  const chosen = names.map((name) => [name, theme[name] ?? DEFAULT_COLORS[name]]);
  return Object.fromEntries(chosen) as Record<ColorName, string>;
}

/** Red, green and blue, 0 to 255, of `#rrggbb`. */
export function channelsOf(color: string): readonly [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** WCAG 2.2, "relative luminance": 0 is black, 1 is white. */
export function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.2, "contrast ratio": from 1 to 21, whichever of the two is the text. */
export function contrastRatio(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

export interface UnreadablePair {
  readonly text: ColorName;
  readonly ground: ColorName;
  readonly ratio: number;
}

/** The pairs of a theme with insufficient contrast. Unset colors have the platform's default. */
export function unreadablePairs(theme: Theme): UnreadablePair[] {
  const colors = colorsOf(theme) ?? DEFAULT_COLORS;
  return TEXT_PAIRS.map(([text, ground]) => ({
    text,
    ground,
    ratio: contrastRatio(colors[text], colors[ground]),
  })).filter(({ ratio }) => ratio < TEXT_CONTRAST);
}

/** Adds the members that a stored theme lacks. */
export function wholeTheme(stored: Partial<Theme> | undefined): Theme {
  return { ...NO_THEME, ...stored };
}
