import { OPERATOR_SCOPES } from '@lyceum/contracts';
import type { Browser, Page } from 'playwright-core';
import { authorizationRequest } from '../clients/member-client.js';
import { clientOf, systemStack } from '../stack/system-stack.js';
import { violations } from './axe.js';
import { launchChromium } from './chromium.js';
import { EMAIL_LINK_PAGES } from './email-link-pages.js';
import { ANONYMOUS, OF_OWNER, OF_STUDENT } from './every-page.js';
import type { KnownPage } from './opening.js';
import { type Scene, scene } from './scene.js';
import { type Credentials, signIn } from './sign-in.js';
import { type Visitor, visitor } from './visitor.js';

const CALLBACK = 'http://127.0.0.1:7777/';
/** The style has one layout above 512 pixels and one below, so 390 pixels differ from 320 by what fits into a line. */
const SIZES = [
  // A color scheme changes colors alone, at each size alike.
  {
    width: 1280,
    height: 900,
    looks: [
      ['light', 'all'],
      ['dark', 'colors'],
    ],
  },
  { width: 390, height: 844, looks: [] },
  // 320 pixels, and 1280 pixels at 400 % (WCAG 2.2, 1.4.10).
  { width: 320, height: 640, looks: [['light', 'all']] },
] as const;

interface FocusStep {
  readonly what: string;
  readonly outline: string;
}

/** Presses Tab through the page. Returns each focused element with its outline. */
async function focusWalk(page: Page): Promise<FocusStep[]> {
  const steps = await page.locator('a[href], button, input:not([type=hidden]), select, textarea').count();
  const seen: FocusStep[] = [];
  for (let step = 0; step < Math.min(steps, 12); step += 1) {
    await page.keyboard.press('Tab');
    seen.push(
      await page.evaluate<FocusStep>(`(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
        return { what: document.activeElement.tagName, outline: outlineStyle + ' ' + outlineWidth };
      })()`),
    );
  }
  return seen;
}

interface Structure {
  readonly lang: string;
  readonly title: string;
  readonly headings: number;
  readonly mains: number;
  readonly banners: number;
  /** The paths of scripts, without their hashes. */
  readonly scripts: string[];
  /** Pixels of horizontal scrolling. */
  readonly overflow: number;
}

/** The rules for every page. */
async function structure(page: Page): Promise<Structure> {
  return page.evaluate<Structure>(`({
    lang: document.documentElement.lang,
    title: document.title,
    headings: document.querySelectorAll('h1').length,
    mains: document.querySelectorAll('main').length,
    banners: document.querySelectorAll('body > header').length,
    scripts: [...document.scripts].map(({ src }) => new URL(src).pathname.replace(/\\.[0-9a-f]{16}/, '')),
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  })`);
}

/** The sum of all layout shifts since the page began to load, except after input of the person. */
const layoutShift = (page: Page): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) sum += value;
    }).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => setTimeout(() => resolve(sum), 200));
  })`);

describe('a page for people', () => {
  // The discovery suites check the documents of the other site; this one accepts document clients.
  const site = systemStack().sites[1]!;
  let browser: Browser;
  let known: Scene;

  beforeAll(async () => {
    browser = await launchChromium();
    known = await scene(site);
  });
  afterAll(async () => browser.close());

  const look = async (page: Page, { heading, open }: KnownPage): Promise<void> => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await open(page, known);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    const { title, overflow: _, scripts, ...rest } = await structure(page);
    expect(title).toMatch(/^\S.* · \S/);
    expect(rest).toEqual({ lang: 'en', headings: 1, mains: 1, banners: 1 });
    expect(scripts.filter((path) => path !== '/account/scripts/page.js')).toEqual([]);
    for (const { what, outline } of await focusWalk(page)) {
      if (what !== 'BODY') expect([what, outline]).toEqual([what, 'solid 3px']);
    }
    for (const { looks, ...size } of SIZES) {
      await page.setViewportSize(size);
      for (const [colorScheme, rules] of looks) {
        await page.emulateMedia({ colorScheme });
        expect(await violations(page, rules)).toEqual([]);
      }
      expect((await structure(page)).overflow).toBe(0);
    }
  };

  /** One browser for the pages of one person, in the order of the table. */
  const pagesOf = (audience: string, pages: readonly KnownPage[], person: () => Credentials | undefined): void => {
    describe(audience, () => {
      let visiting: Visitor;
      beforeAll(async () => {
        visiting = await visitor(browser, site.base_url, { scripts: true, elsewhere: CALLBACK });
        const credentials = person();
        if (credentials === undefined) return;
        await visiting.page.goto('/account');
        await signIn(visiting.page, credentials);
        await visiting.page.getByRole('heading', { name: 'Your account' }).waitFor();
      });
      afterAll(async () => visiting.context.close());
      it.each(pages)('shows a readable, self-contained page that a keyboard can use: $name', async (one) => {
        await look(visiting.page, one);
        // Each page is checked separately.
        expect(visiting.faults.splice(0)).toEqual([]);
      });
    });
  };

  it('shows Allow in view on a phone for all scopes of operators, and shifts no layout', async () => {
    const { context, page, faults } = await visitor(browser, site.base_url, { scripts: true, elsewhere: CALLBACK });
    const height = 844;
    await page.setViewportSize({ width: 390, height });
    await page.goto('/account');
    await signIn(page, known.owner);
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    const { client_id } = clientOf(site, 'operator', 'public');
    const scope = ['openid', 'profile', 'email', ...OPERATOR_SCOPES].join(' ');
    const { url } = await authorizationRequest(site.base_url, { client_id }, scope);
    url.searchParams.set('prompt', 'consent');
    await page.goto(url.href);
    const allow = page.getByRole('button', { name: 'Allow', exact: true });
    await allow.waitFor();
    // The text is longer than the screen, so the button is in view only because the page keeps it there.
    expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeGreaterThan(height);
    expect(await page.evaluate('scrollY')).toBe(0);
    const { x, y, width, height: high } = (await allow.boundingBox())!;
    expect([y > 0, y + high <= height]).toEqual([true, true]);
    const [middle, center] = [x + width / 2, y + high / 2];
    expect(await page.evaluate(`document.elementFromPoint(${middle}, ${center}).textContent.trim()`)).toBe('Allow');
    expect(await layoutShift(page)).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  pagesOf('to anonymous visitors', [...ANONYMOUS, ...EMAIL_LINK_PAGES], () => undefined);
  pagesOf('to a student', OF_STUDENT, () => known.student);
  pagesOf('to an owner', OF_OWNER, () => known.owner);
});
