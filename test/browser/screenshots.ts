import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** Only for `npm run screenshots`, which names a folder. */
const FOLDER = process.env['SCREENSHOTS'];
/** The folder of the pictures of the README. */
const PICTURES = process.env['PICTURES'];
/** The time limit of a test that photographs many pages. Undefined leaves the limit of the configuration. */
export const SCREENSHOTS_LIMIT = FOLDER === undefined ? undefined : 3_600_000;

const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];
type Size = (typeof SIZES)[number];
const SCHEMES = ['light', 'dark'] as const;

/** The pictures of the README, by the screenshots that they show. */
export const README_PICTURES: ReadonlyMap<string, string> = new Map([
  ['landingPage-with-a-look-en-1280-light', 'landing'],
  ['signInPage-first-visit-en-1280-light', 'sign-in'],
  ['consentPage-member-application-en-1280-dark', 'consent'],
  ['accountPage-applications-and-browsers-zh-TW-1280-light', 'account'],
  ['reference-zh-TW-1280-light', 'reference'],
  ['explorer-en-1280-dark', 'explorer'],
]);
/** Pictures of the README have 960 pixels. */
const README_SCALE = 0.75;

/** Without a Chinese font each character is an empty box. Systems without fontconfig have such fonts. */
export function requireFonts(): void {
  if (FOLDER === undefined || listed() !== '') return;
  throw new Error('Screenshots in Chinese need a font: install the package fonts-noto-cjk.');
}

function listed(): string {
  try {
    return execFileSync('fc-list', [':lang=zh-tw', 'family'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

/** Taller pages are cut. */
const MOST_HEIGHT = 4_000;

/** Waits until an application has filled its page. */
type Ready = () => Promise<unknown>;

/** Writes the window as a picture of the README, if it is one. */
async function readmePicture(page: Page, file: string, { width, height }: Size): Promise<void> {
  const name = README_PICTURES.get(file);
  if (PICTURES === undefined || name === undefined) return;
  const session = await page.context().newCDPSession(page);
  const clip = { x: 0, y: 0, width, height, scale: README_SCALE };
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 85, clip });
  await session.detach();
  writeFileSync(`${PICTURES}/${name}.webp`, Buffer.from(data, 'base64'));
}

/**
 * From the top, with no focus. A page is as high as its content, so that a bar at the end of the window stands at its
 * end; an application fills the window.
 */
async function screenshot(page: Page, file: string, { width, height }: Size, application: boolean): Promise<void> {
  await page.setViewportSize({ width, height });
  const content = await page.evaluate<number>(`(() => {
    document.activeElement?.blur();
    scrollTo(0, 0);
    return document.documentElement.scrollHeight;
  })()`);
  await readmePicture(page, file, { width, height });
  if (!application) {
    await page.setViewportSize({ width, height: Math.min(Math.max(content, height), MOST_HEIGHT) });
  }
  await page.screenshot({ path: `${FOLDER}/${file}.png`, animations: 'disabled' });
}

/** Opens the page from its top: a reload would scroll to the part that the address names. */
async function startIn(page: Page, at: string, language: string): Promise<void> {
  const url = new URL(at);
  url.hash = '';
  url.searchParams.set('ui_locales', language);
  await page.goto('about:blank');
  await page.goto(url.href);
}

/** Photographs the current page in both languages, color schemes and sizes. */
export async function screenshotsOf(page: Page, name: string, ready?: Ready): Promise<void> {
  if (FOLDER === undefined) return;
  const at = page.url();
  const file = name.replaceAll(/\W+/g, '-');
  for (const language of ['en', 'zh-TW']) {
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      // An application reads the color scheme when it starts.
      await startIn(page, at, language);
      await ready?.();
      for (const size of SIZES) {
        await screenshot(page, `${file}-${language}-${size.width}-${colorScheme}`, size, ready !== undefined);
      }
    }
  }
}
