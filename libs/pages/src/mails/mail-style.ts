import { DEFAULT_COLORS, colorsOf } from '@lyceum/contracts';
import type { Theme } from '@lyceum/contracts';
import { darkColors, isDark, paletteOf } from '../theme.policy.js';
import type { Palette } from '../theme.policy.js';

/** Fonts of every system. Outlook takes the first one, and knows no `system-ui`. */
const FONT = `'Segoe UI',system-ui,-apple-system,Roboto,'Helvetica Neue','Noto Sans TC','PingFang TC',Arial,sans-serif`;

type Rules = Readonly<Record<string, string>>;

const declared = (rules: Rules, important = ''): string =>
  Object.entries(rules)
    .map(([name, value]) => `${name}:${value}${important}`)
    .join(';');

const TEXT = { 'font-family': FONT, 'font-size': '16px', 'line-height': '24px' };

/** Shapes and sizes: inline, because some mail programs remove the style sheet. */
const SHAPES = {
  body: { margin: '0', padding: '0', width: '100%' },
  preheader: { display: 'none', 'max-height': '0', overflow: 'hidden', 'mso-hide': 'all' },
  outer: { padding: '24px 12px', ...TEXT },
  frame: { 'max-width': '600px', 'table-layout': 'fixed', margin: '0 auto' },
  brand: { padding: '0 8px 16px', 'font-weight': '600', 'overflow-wrap': 'anywhere', 'text-align': 'start', ...TEXT },
  tile: {
    display: 'inline-block',
    width: '32px',
    margin: '0 10px 0 0',
    'border-radius': '8px',
    'font-weight': '700',
    'line-height': '32px',
    'text-align': 'center',
  },
  card: {
    padding: '32px 32px 16px',
    'border-width': '1px',
    'border-style': 'solid',
    'border-radius': '12px',
    'overflow-wrap': 'anywhere',
    'text-align': 'start',
    ...TEXT,
  },
  heading: {
    margin: '0 0 20px',
    'text-wrap': 'balance',
    'font-size': '24px',
    'line-height': '30px',
    'font-weight': '700',
  },
  text: { margin: '0 0 16px' },
  list: { margin: '0 0 16px', padding: '0 0 0 20px' },
  item: { margin: '0 0 4px' },
  entry: { margin: '0 0 16px', padding: '16px 0 0', 'border-width': '1px 0 0', 'border-style': 'solid' },
  title: { margin: '0', 'font-size': '16px', 'line-height': '24px', 'font-weight': '600' },
  excerpt: { margin: '4px 0 0' },
  link: { 'text-decoration': 'underline' },
  buttons: { margin: '24px 0 12px' },
  button: {
    display: 'inline-block',
    padding: '13px 24px',
    'border-width': '1px',
    'border-style': 'solid',
    'border-radius': '8px',
    'font-weight': '600',
    'line-height': '20px',
    'text-align': 'center',
    'text-decoration': 'none',
  },
  small: { margin: '0 0 4px', 'font-size': '14px', 'line-height': '20px' },
  address: { margin: '0 0 20px', 'font-size': '12px', 'line-height': '18px' },
  bare: { 'text-decoration': 'none' },
  footer: {
    padding: '16px 8px 0',
    'overflow-wrap': 'anywhere',
    'text-align': 'start',
    ...TEXT,
    'font-size': '13px',
    'line-height': '20px',
  },
  line: { margin: '0 0 4px' },
} as const satisfies Record<string, Rules>;

export type Shape = keyof typeof SHAPES;

/** The colors of a class. */
const colorsOfClass = (palette: Palette) =>
  ({
    ground: { 'background-color': palette.ground, color: palette.ink },
    paper: { 'background-color': palette.paper, 'border-color': palette.edge, color: palette.ink },
    edge: { 'border-color': palette.edge },
    ink: { color: palette.ink },
    quiet: { color: palette.quiet },
    accent: { color: palette.accent },
    main: {
      'background-color': palette.accent,
      'border-color': palette.accent,
      color: palette['on-accent'],
    },
  }) as const;

export type MailClass = keyof ReturnType<typeof colorsOfClass>;

/** The styles of a mail: inline ones in light colors, and a style sheet for dark mode and narrow screens. */
export interface MailStyles {
  /** The value of `color-scheme`. */
  readonly scheme: string;
  readonly sheet: string;
  /** The value of a style attribute. */
  inline(shape: Shape, name?: MailClass): string;
}

const NARROW =
  '.outer{padding:12px 8px!important}.card{padding:24px 24px 8px!important}.buttons{width:100%!important}.button{display:block!important}';

export function mailStyles(theme: Theme | undefined): MailStyles {
  const colors = (theme === undefined ? undefined : colorsOf(theme)) ?? DEFAULT_COLORS;
  const light = colorsOfClass(paletteOf(colors));
  const scheme = isDark(colors) ? 'dark' : 'light dark';
  const dark = Object.entries(colorsOfClass(paletteOf(darkColors(colors))))
    .map(([name, rules]) => `.${name}{${declared(rules, '!important')}}`)
    .join('');
  return {
    scheme,
    sheet: `:root{color-scheme:${scheme}}@media (max-width:480px){${NARROW}}@media (prefers-color-scheme:dark){${dark}}`,
    inline: (shape, name) => declared({ ...SHAPES[shape], ...(name === undefined ? {} : light[name]) }),
  };
}
