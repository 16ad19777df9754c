import { DEFAULT_COLORS, NO_THEME, contrastRatio } from '@lyceum/contracts';
import { runForReader } from '@lyceum/platform';
import { MAIL_LIMITS } from './mail-content.policy.js';
import type { MailBlock, MailParts } from './mail-parts.js';
import { mailStyles } from './mail-style.js';
import { renderMail } from './mail.js';

const BLOCKS: MailBlock[] = [
  { text: 'First paragraph.\nSecond line.\n\nSecond paragraph.' },
  { items: ['Phone', 'Key'] },
  { entries: [{ title: 'Tides', text: 'High and low.', url: 'https://one.example/posts/tides' }] },
  { button: { label: 'Set your password', url: 'https://one.example/a?token=b&x=1' }, note: 'It works once.' },
  { link: { label: 'Your passkeys', url: 'https://one.example/account/passkeys' } },
];
const PARTS: MailParts = {
  site: { name: 'Harbour', base_url: 'https://one.example' },
  heading: 'Welcome to Harbour',
  greeting: 'Hello Ada,',
  blocks: BLOCKS,
  reason: 'You have an account.',
  unsubscribe: 'https://one.example/member/unsubscribe?token=x',
};
const withText = (text: string): MailParts => ({ ...PARTS, blocks: [{ text }] });

/** The words of a document that a reader sees, in their order. */
const wordsOf = (html: string): string =>
  html
    .replaceAll(/<(head|style|title)>[^]*?<\/\1>|<!--[^]*?-->/g, '')
    .replaceAll(/<(div|span) aria-hidden="true"[^>]*>[^<]*<\/\1>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();

it('writes the same content into the plain text and the HTML', () => {
  const { subject, text, html } = renderMail(PARTS);
  expect(subject).toBe('Welcome to Harbour');
  expect(text).toBe(`Welcome to Harbour

Hello Ada,

First paragraph.
Second line.

Second paragraph.

- Phone
- Key

- Tides
  High and low.
  https://one.example/posts/tides

Set your password: https://one.example/a?token=b&x=1
It works once.

Your passkeys: https://one.example/account/passkeys

-- 
Harbour: https://one.example/
You have an account.
Unsubscribe: https://one.example/member/unsubscribe?token=x`);
  const words = wordsOf(html);
  const shown = text
    .replaceAll(/^- | {2}|: https:\S+|https:\S+/gm, '')
    .split(/\s*\n\s*/)
    .filter((line) => line.trim());
  let from = words.indexOf('Hello');
  expect(words.slice(0, from)).toBe('Harbour Welcome to Harbour ');
  for (const line of shown.filter((one) => one !== '-- ' && one !== '--').slice(1)) {
    const at = words.indexOf(line, from);
    expect([line, at >= from]).toEqual([line, true]);
    from = at + line.length;
  }
  const addresses = [...text.matchAll(/https:\S+/g)].map(([url]) => url.replaceAll('&', '&amp;'));
  expect(addresses.filter((url) => !html.includes(`href="${url}"`))).toEqual([]);
});

it('loads nothing, runs nothing, and has its language and direction twice', () => {
  const { html } = runForReader({ person: 'zh-TW' }, () => renderMail(PARTS));
  expect(html).not.toMatch(/<(?:script|img|link|iframe|form|object|svg)|url\(|@import|@font-face|\son\w+=/i);
  expect(html.match(/lang="zh-TW" dir="ltr"/g)).toHaveLength(2);
  expect([html.includes('>取消訂閱</a>'), renderMail(PARTS).html.includes('>Unsubscribe</a>')]).toEqual([true, true]);
});

it('escapes hostile text everywhere', () => {
  const attack = `"><img src=x onerror=alert(1)>'</title></style>`;
  const { html } = renderMail({
    site: { name: attack, base_url: 'https://one.example' },
    heading: attack,
    greeting: attack,
    blocks: [
      { text: attack },
      { items: [attack] },
      { entries: [{ title: attack, text: attack, url: `https://one.example/${attack}` }] },
      { button: { label: attack, url: `https://one.example/${attack}` }, note: attack },
      { link: { label: attack, url: `https://one.example/${attack}` } },
    ],
    reason: attack,
    unsubscribe: `https://one.example/${attack}`,
  });
  expect(html).not.toContain('<img');
  expect(html.match(/<\/title>/g)).toHaveLength(1);
  expect(html.match(/<\/style>/g)).toHaveLength(1);
});

it.each(['javascript:alert(1)', 'data:text/html,x', 'mailto:eve@evil.example', 'no address', ''])(
  'links no %j',
  (url) => {
    const blocks: MailBlock[] = [
      { button: { label: 'Open', url } },
      { link: { label: 'See', url } },
      { entries: [{ title: 'Tides', text: '', url }] },
    ];
    const { html, text } = renderMail({ ...PARTS, blocks });
    expect(html.match(/<a /g)).toHaveLength(2);
    expect(text).toContain('Hello Ada,\n\nOpen\n\nSee\n\n- Tides\n\n-- \n');
  },
);

it.each([
  ['a character that reverses a line', 'Pay \u202eevil\u202c now', 'Pay evil now'],
  ['isolates and marks', '\u2067a\u2069\u200eb\u061c', 'ab'],
  ['characters without a width', 'pass\u200bw\u2060o\ufeffr\u00add', 'password'],
  ['joiners in ASCII', 'a\u200db\u200c', 'ab'],
  ['control characters', 'a\0b\u001b[0m\tc', 'ab[0m c'],
])('removes %s', (_what, given, shown) => {
  const { html, text, subject } = renderMail({ ...withText(given), heading: given });
  expect([subject, text.includes(`\n\n${shown}\n\n`), html.includes(`>${shown}</p>`)]).toEqual([shown, true, true]);
});

it('keeps joiners where a script needs them', () => {
  const { text } = renderMail(withText('می\u200cخواهم क्\u200dष 👩\u200d🚀'));
  expect(text).toContain('می\u200cخواهم क्\u200dष 👩\u200d🚀');
});

it('keeps a text of the longest length and cuts a longer one, in both forms', () => {
  const whole = 'x'.repeat(MAIL_LIMITS.text);
  expect(renderMail(withText(whole)).text).toContain(`\n${whole}\n`);
  const { text, html } = renderMail(withText(`${whole}y`));
  const cut = `${'x'.repeat(MAIL_LIMITS.text - 1)}…`;
  expect([text.includes(`\n${cut}\n`), html.includes(`>${cut}</p>`)]).toEqual([true, true]);
  expect(renderMail(withText(`${'x'.repeat(MAIL_LIMITS.text - 2)}👩x`)).text.isWellFormed()).toBe(true);
});

it.each([
  [MAIL_LIMITS.paragraphs, MAIL_LIMITS.paragraphs],
  [MAIL_LIMITS.paragraphs + 1, MAIL_LIMITS.paragraphs],
])('writes %i paragraphs as %i, and loses no line', (given, written) => {
  const texts = Array.from({ length: given }, (_, index) => `Paragraph ${index}.`);
  const { html, text } = renderMail(withText(texts.join('\n\n')));
  expect(html.match(/<p dir="auto" class="text ink"[^>]*>Paragraph/g)).toHaveLength(written);
  expect(texts.filter((one) => !html.includes(one) || !text.includes(one))).toEqual([]);
});

it.each([
  [MAIL_LIMITS.entries, 0],
  [MAIL_LIMITS.entries + 1, 1],
])('lists %i entries without %i of them', (given, missing) => {
  const entries = Array.from({ length: given }, (_, index) => ({ title: `Entry ${index}.`, text: '', url: null }));
  const { text } = renderMail({ ...PARTS, blocks: [{ entries }] });
  expect(entries.filter(({ title }) => !text.includes(`- ${title}`))).toHaveLength(missing);
});

it('stays below 100 kB with every part at its limit', () => {
  const long = (length: number): string => '"'.repeat(length);
  const url = `https://one.example/${'x'.repeat(MAIL_LIMITS.url - 20)}`;
  const entries = Array.from({ length: MAIL_LIMITS.entries }, () => ({ title: long(500), text: long(500), url }));
  const paragraphs = Array.from({ length: MAIL_LIMITS.paragraphs }, () => long(200)).join('\n\n');
  const { html } = renderMail({
    site: { name: long(500), base_url: url },
    heading: long(500),
    greeting: long(500),
    blocks: [
      { text: paragraphs },
      { items: entries.map(({ title }) => title) },
      { entries },
      { button: { label: long(500), url }, note: long(500) },
    ],
    reason: long(500),
    unsubscribe: url,
  });
  expect(html).toContain(`href="${url}"`);
  expect(Buffer.byteLength(html)).toBeLessThan(100_000);
  expect(renderMail({ ...PARTS, site: { name: 'Harbour', base_url: `${url}x` } }).html).not.toContain(url);
});

const THEMES = [
  ['the platform', NO_THEME],
  ['a pale accent', { ...NO_THEME, accent_color: '#b45309' }],
  [
    'dark surfaces',
    {
      ...NO_THEME,
      background_color: '#101014',
      surface_color: '#1a1a20',
      text_color: '#f3f3f6',
      accent_color: '#a9c4ff',
    },
  ],
] as const;

/** The text colors of a style sheet or of inline styles, each with its own background or that of the card. */
const declaration = (style: string, name: string): string =>
  new RegExp(`(?:^|;|{)${name}:(#[0-9a-f]{6})`).exec(style)?.[1] ?? '';

describe.each(THEMES)('with the colors of %s', (_name, theme) => {
  const styles = mailStyles(theme);
  const inline = (name: Parameters<typeof styles.inline>[1]): string => styles.inline('line', name);
  const dark = (name: string): string =>
    new RegExp(`\\.${name}{[^}]*}`).exec(styles.sheet.split('dark){')[1] ?? '')?.[0] ?? '';

  it.each([
    ['light', inline],
    ['dark', (name: string) => dark(name)],
  ] as const)('shows readable text in %s mode', (_mode, styleOf) => {
    const paper = declaration(styleOf('paper'), 'background-color');
    const ground = declaration(styleOf('ground'), 'background-color');
    const on = (name: 'ink' | 'quiet' | 'accent', surface: string): number =>
      contrastRatio(declaration(styleOf(name), 'color'), surface);
    const main = styleOf('main');
    const button = contrastRatio(declaration(main, 'color'), declaration(main, 'background-color'));
    const ratios = [
      on('ink', paper),
      on('ink', ground),
      on('quiet', paper),
      on('quiet', ground),
      on('accent', paper),
      button,
    ];
    expect(ratios.map((ratio) => ratio >= 4.5)).toEqual(ratios.map(() => true));
  });

  it('names the color schemes that it has colors for', () => {
    const isDark = theme.surface_color !== null && theme.surface_color !== DEFAULT_COLORS.surface_color;
    expect(styles.scheme).toBe(isDark ? 'dark' : 'light dark');
    expect(renderMail({ ...PARTS, site: { ...PARTS.site, theme } }).html).toContain(
      `<meta name="color-scheme" content="${styles.scheme}" />`,
    );
  });
});
