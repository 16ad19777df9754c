import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { violations } from './axe.js';
import { launchChromium } from './chromium.js';
import { README_PICTURES, SCREENSHOTS_LIMIT, requireFonts, screenshotsOf } from './screenshots.js';

const root = join(__dirname, '../..');
const PHONE = { width: 390, height: 844 };
/** 320 pixels (WCAG 2.2, 1.4.10). */
const NARROW = { width: 320, height: 640 };
/** 1280 pixels at 200 % (1.4.4). */
const ZOOMED = { width: 640, height: 640 };

/** Each page is loaded once in each language, and measured in several windows. */
const WALKS = [
  { language: 'en', windows: [PHONE, ZOOMED, NARROW] },
  { language: 'zh-TW', windows: [PHONE] },
] as const;

/** A page that a script of a package fills has its own layout. */
const BY_SCRIPT = /^(?:referencePage|explorerPage)-/;

describe('`npm run pages`', () => {
  let server: ChildProcess;
  let browser: Browser;
  let page: Page;
  let slugs: string[];

  beforeAll(async () => {
    requireFonts();
    server = spawn(process.execPath, ['apps/auth/preview/serve.ts', '--port', '0'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface({ input: server.stdout! }), 'line')) as [string];
    const baseURL = /^Pages: (http:\S+)$/.exec(line)?.[1] ?? '';
    browser = await launchChromium();
    page = await (await browser.newContext({ baseURL })).newPage();
    await page.goto('/');
    slugs = await page.evaluate<string[]>(
      `[...document.links].filter(({ search }) => search === '').map(({ pathname }) => pathname.replace('/states/', ''))`,
    );
  });
  afterAll(async () => {
    await browser.close();
    server.kill();
    await once(server, 'exit');
  });

  /** Pixels of horizontal scrolling. */
  const overflow = (): Promise<number> =>
    page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

  it('lists the states of all pages, and leads back to the list', async () => {
    expect(slugs.length).toBeGreaterThan(150);
    await page.goto('/account/profile');
    await page.getByRole('heading', { level: 1, name: 'Pages' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  it('takes the pictures of the README from states that exist', () => {
    const shown = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/docs\/screenshots\/([\w-]+)\.webp/g)];
    expect(shown.map(([, name]) => name)).toEqual([...README_PICTURES.values()]);
    const states = [...README_PICTURES.keys()].filter((file) => !/^(?:reference|explorer)-/.test(file));
    expect(slugs).toEqual(expect.arrayContaining(states.map((file) => file.replace(/-(?:en|zh-TW)-.*$/, ''))));
  });

  it.each(WALKS)(
    'needs no horizontal scrolling in $language',
    async ({ language, windows }) => {
      const wide: string[] = [];
      const measure = async (slug: string, what: string): Promise<void> => {
        const pixels = await overflow();
        if (pixels > 0) wide.push(`${slug}, ${what}: ${pixels}`);
      };
      for (const slug of slugs.filter((one) => !BY_SCRIPT.test(one))) {
        await page.goto(`/states/${slug}?ui_locales=${language}`);
        for (const window of windows) {
          await page.setViewportSize(window);
          await measure(slug, String(window.width));
          if (window === ZOOMED) {
            await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
            await measure(slug, 'double size');
            await page.evaluate(`document.documentElement.style.fontSize = ''`);
          }
          if (window === NARROW) {
            await page.evaluate(`document.documentElement.dir = 'rtl'`);
            await measure(slug, 'from right to left');
          }
        }
        if (language === 'zh-TW') await screenshotsOf(page, slug);
      }
      expect(await page.evaluate('document.documentElement.lang')).toBe(language);
      expect(wide).toEqual([]);
    },
    SCREENSHOTS_LIMIT,
  );

  it.each(['peoplePage-members', 'consentPage-member-application', 'settingsPage-settings'])(
    'starts at the other side from right to left, without a violation: %s',
    async (slug) => {
      await page.setViewportSize({ width: 1280, height: 900 });
      for (const direction of ['ltr', 'rtl']) {
        await page.goto(`/states/${slug}?dir=${direction}`);
        const [left, right] = await page.evaluate<[number, number]>(`(() => {
          const range = document.createRange();
          range.selectNodeContents(document.querySelector('h1'));
          const [text, main] = [range.getBoundingClientRect(), document.querySelector('main').getBoundingClientRect()];
          return [text.left - main.left, main.right - text.right];
        })()`);
        expect([direction, direction === 'ltr' ? left < right : right < left]).toEqual([direction, true]);
        expect(await violations(page)).toEqual([]);
      }
    },
  );
});
