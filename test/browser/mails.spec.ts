import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderMail } from '@lyceum/pages';
import type { MailParts } from '@lyceum/pages';
import { runForReader } from '@lyceum/platform';
import type { Browser, Page } from 'playwright-core';
import { violations } from './axe.js';
import { launchChromium } from './chromium.js';
import { requireFonts } from './screenshots.js';

interface Sample {
  readonly name: string;
  readonly language: string;
  readonly parts: MailParts;
}

/** Each mail of the services in both languages; the suites of the services prove that these files are current. */
const SAMPLES = ['auth', 'member-api'].flatMap(
  (service) => JSON.parse(readFileSync(join(__dirname, `mails/${service}.json`), 'utf8')) as Sample[],
);

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2);
const HOSTILE: Sample = {
  name: 'hostile',
  language: 'en',
  parts: {
    site: { name: LONG, base_url: 'https://school.example' },
    heading: LONG,
    greeting: 'שלום "><script>document.title = 1</script>',
    blocks: [
      { text: `${LONG}\n\nمرحبا ${LONG}` },
      { items: [LONG, '<img src="https://evil.example/x.png">'] },
      { entries: [{ title: LONG, text: LONG, url: `https://school.example/${LONG}` }] },
      { button: { label: LONG, url: `https://school.example/${LONG}` }, note: LONG },
      { link: { label: LONG, url: 'https://school.example/x' } },
    ],
    reason: LONG,
    unsubscribe: `https://school.example/member/unsubscribe?token=${LONG}`,
  },
};
const THEMED: readonly Sample[] = [
  [
    'theme-warm',
    { background_color: '#fbf3e4', surface_color: '#fffdf8', text_color: '#2b2118', accent_color: '#9a3412' },
  ],
  [
    'theme-dark',
    { background_color: '#0b1220', surface_color: '#131c2e', text_color: '#e6edf7', accent_color: '#7dd3fc' },
  ],
].map(([name, colors]) => {
  const { parts } = SAMPLES[0]!;
  const theme = { font_family: null, corners: null, ...(colors as object) } as NonNullable<MailParts['site']['theme']>;
  return { name: name as string, language: 'en', parts: { ...parts, site: { ...parts.site, theme } } };
});

const ALL = [...SAMPLES, HOSTILE, ...THEMED];
/** A phone, where colors are checked as well, and a mail program. A color scheme changes colors alone. */
const WIDTHS = [
  { width: 320, schemes: ['light', 'dark'] },
  { width: 600, schemes: ['light'] },
] as const;
/** Only for `npm run screenshots`, which names a folder. */
const FOLDER = process.env['SCREENSHOTS'];

const rendered = ({ language, parts }: Sample) => runForReader({ person: language }, () => renderMail(parts));
const withoutStyle = (html: string): string => html.replaceAll(/<style>[^]*?<\/style>/g, '');

let browser: Browser;
let page: Page;
/** Addresses that a mail requested. */
const requested: string[] = [];

beforeAll(async () => {
  requireFonts();
  browser = await launchChromium();
  page = await browser.newPage();
  page.on('request', (request) => requested.push(request.url()));
  page.on('dialog', (dialog) => void dialog.dismiss());
});
afterAll(() => browser.close());

/** Shows a document as a mail program does, and returns the words that a reader sees. */
async function show(html: string): Promise<string> {
  await page.setContent(html, { waitUntil: 'load' });
  return page.evaluate<string>(`document.body.innerText`);
}

/** How far the document, or an element that is not hidden, reaches over the end of the screen. */
const overflow = (): Promise<number> =>
  page.evaluate<number>(`Math.max(document.documentElement.scrollWidth, ...[...document.body.querySelectorAll('*')]
    .map((element) => Math.ceil(element.getBoundingClientRect().right))) - innerWidth`);

async function photograph({ name, language }: Sample, width: number, look: string): Promise<void> {
  if (FOLDER === undefined) return;
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, `mail-${name}-${language}-${width}-${look}.png`), fullPage: true });
}

it('knows at least 33 mails, each in both languages', () => {
  const names = (language: string) => SAMPLES.filter((one) => one.language === language).map(({ name }) => name);
  expect(names('zh-TW')).toEqual(names('en'));
  expect([new Set(names('en')).size, names('en').length >= 33]).toEqual([names('en').length, true]);
});

describe.each(ALL.map((sample) => [`${sample.name} (${sample.language})`, sample] as const))('%s', (_name, sample) => {
  const { html, text, subject } = rendered(sample);

  it('fits a phone and a mail program, in both color schemes, with and without its style sheet', async () => {
    for (const { width, schemes } of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      for (const colorScheme of FOLDER === undefined ? schemes : WIDTHS[0].schemes) {
        await page.emulateMedia({ colorScheme });
        for (const [look, shown] of [
          ['styled', html],
          ['plain', withoutStyle(html)],
        ] as const) {
          const where = `${width} ${colorScheme} ${look}`;
          await show(shown);
          expect([where, await overflow()]).toEqual([where, 0]);
          const rules = look === 'styled' && colorScheme === 'light' ? 'all' : 'colors';
          expect([where, await violations(page, rules)]).toEqual([where, []]);
          await photograph(sample, width, look === 'styled' ? colorScheme : `${colorScheme}-plain`);
        }
      }
    }
  });

  it('loads nothing, runs nothing, and says in its plain text what it shows', async () => {
    requested.length = 0;
    const words = (await show(html)).replaceAll(/\s+/g, ' ');
    expect(requested.filter((url) => !url.startsWith('about:'))).toEqual([]);
    expect(await page.title()).toBe(subject);
    expect(
      await page.evaluate<number>(`document.querySelectorAll('script, img, link, iframe, form, svg').length`),
    ).toBe(0);
    const links = await page.evaluate<string[]>(`[...document.links].map(({ href }) => href)`);
    expect(links.filter((href) => !text.includes(href))).toEqual([]);
    const lines = text
      .replaceAll(/^- |(?:: |：)?https:\S+/gm, '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && line !== '--' && line !== '-');
    expect(lines.filter((line) => !words.includes(line.replaceAll(/\s+/g, ' ')))).toEqual([]);
    expect(Buffer.byteLength(html)).toBeLessThan(100_000);
  });
});
