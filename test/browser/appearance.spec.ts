import { eventually } from '@lyceum/testing';
import type { Browser, Page } from 'playwright-core';
import { systemStack } from '../stack/system-stack.js';
import { violations } from './axe.js';
import { launchChromium } from './chromium.js';
import { signIn } from './sign-in.js';
import { createSite, type OwnSite } from './separate-site.js';
import { useVisitor, visitor } from './visitor.js';

const CDN = 'https://cdn.example.com';
/** The error page for an unknown application. */
const REFUSED = '/oauth/authorize?client_id=none&response_type=code';
const SCHEMES = ['light', 'dark'] as const;

interface Looks {
  readonly ground: string;
  readonly paper: string;
  readonly ink: string;
  readonly font: string;
  readonly corner: string;
  /** Colors of the main button, if the page has one. */
  readonly accent: string | null;
}

/** Computed by the browser. */
function looks(page: Page): Promise<Looks> {
  return page.evaluate<Looks>(`(() => {
    const of = (selector) => getComputedStyle(document.querySelector(selector));
    const { backgroundColor: paper, borderTopLeftRadius: corner } = of('main');
    const { backgroundColor: ground, fontFamily: font, color: ink } = of('body');
    const button = document.querySelector('button.main');
    return { ground, paper, ink, font, corner, accent: button && getComputedStyle(button).backgroundColor };
  })()`);
}

const DEFAULT = {
  font: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif',
  corner: '12px',
};
const LIGHT: Looks = {
  ...DEFAULT,
  ground: 'rgb(241, 242, 246)',
  paper: 'rgb(255, 255, 255)',
  ink: 'rgb(28, 27, 34)',
  accent: 'rgb(29, 78, 216)',
};

describe('the demo sites', () => {
  const [harbour, orchard] = systemStack().sites;
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => browser.close());

  it('shows one configured and one default appearance of the demo sites', async () => {
    const [there, here] = [
      await visitor(browser, harbour!.base_url, { scripts: true }),
      await visitor(browser, orchard!.base_url, { scripts: true }),
    ];
    for (const { page } of [there, here]) await page.goto('/account/sign-in');
    const sea = {
      font: 'ui-serif, Georgia, serif',
      corner: '6px',
      ground: 'rgb(223, 233, 238)',
      paper: 'rgb(251, 253, 254)',
      ink: 'rgb(18, 38, 58)',
      accent: 'rgb(11, 92, 134)',
    };
    const ink = 'rgb(243, 243, 246)';
    const night = { ...DEFAULT, ground: 'rgb(17, 21, 36)', paper: 'rgb(26, 30, 47)', ink };
    const darkSea = { font: sea.font, corner: sea.corner, ground: 'rgb(16, 22, 29)', paper: 'rgb(25, 31, 40)', ink };
    for (const [colorScheme, theirs, own] of [
      ['light', sea, LIGHT],
      ['dark', darkSea, night],
    ] as const) {
      for (const { page } of [there, here]) await page.emulateMedia({ colorScheme });
      expect(await looks(there.page)).toMatchObject(theirs);
      expect(await looks(here.page)).toMatchObject(own);
      expect(await violations(there.page)).toEqual([]);
    }
    expect([...there.faults, ...here.faults]).toEqual([]);
  });
});

describe('a site that changes its appearance', () => {
  let site: OwnSite;
  let page: Page;

  const visiting = useVisitor(
    async () => {
      site = await createSite();
      return site.base_url;
    },
    { scripts: true, elsewhere: CDN },
    async () => {
      ({ page } = visiting);
      // Set by the school.
      await visiting.context.route(`${CDN}/logo.svg`, (route) =>
        route.fulfill({
          contentType: 'image/svg+xml',
          body: '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="900"><rect width="90" height="900"/></svg>',
        }),
      );
      await visiting.context.route(`${CDN}/gone.svg`, (route) => route.abort('connectionfailed'));
    },
  );

  /** Pages change within seconds. */
  async function change(body: object, isSo: () => Promise<boolean>): Promise<void> {
    const { status, text } = await site.patchAppearance(body);
    expect([status, text]).toEqual([200, text]);
    await eventually(async () => {
      await page.goto('/account/sign-in');
      return isSo();
    }, Boolean);
  }

  const accentIs = (accent: string) => async (): Promise<boolean> => (await looks(page)).accent === accent;

  async function expectReadable(): Promise<void> {
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1280, 375]) {
        await page.setViewportSize({ width, height: 800 });
        // An appearance changes colors; accessibility.spec.ts checks the other rules on each page.
        const found = await violations(page, 'colors');
        expect([page.url(), colorScheme, width, found]).toEqual([page.url(), colorScheme, width, []]);
      }
    }
  }

  it('starts with the default appearance', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto('/account/sign-in');
    expect(await looks(page)).toEqual(LIGHT);
  });

  it.each([
    [
      'dark',
      { background_color: '#101014', surface_color: '#1a1a20', text_color: '#f3f3f6', accent_color: '#ffc46b' },
      { paper: 'rgb(26, 26, 32)', accent: 'rgb(255, 196, 107)' },
      'rgb(26, 26, 32)',
    ],
    [
      'of middle grays, where least can be read',
      { background_color: '#808080', surface_color: '#767676', text_color: '#000000', accent_color: '#000000' },
      { paper: 'rgb(118, 118, 118)', accent: 'rgb(0, 0, 0)' },
      'rgb(24, 24, 29)',
    ],
    [
      'with an accent and the rest of the platform',
      { background_color: null, surface_color: null, text_color: null, accent_color: '#767676', corners: 'square' },
      { paper: 'rgb(255, 255, 255)', accent: 'rgb(118, 118, 118)', corner: '0px' },
      'rgb(33, 33, 39)',
    ],
  ])('shows an appearance in light and in dark, readable, %s', async (_what, theme, expected, darkPaper) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await change({ theme }, accentIs(expected.accent));
    expect(await looks(page)).toMatchObject(expected);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect((await looks(page)).paper).toBe(darkPaper);
    await signIn(page, { email: 'unknown@school.example', password: 'wrong-password-1' });
    await page.getByRole('alert').waitFor();
    await expectReadable();
    for (const path of ['/', '/account/password', '/account/invitation?token=none', REFUSED]) {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(path);
      expect((await looks(page)).paper).toBe(expected.paper);
      await expectReadable();
    }
  });

  it('applies the appearance to pages for signed-in people', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await change({ theme: { accent_color: '#7a1f1f', font_family: 'monospace' } }, accentIs('rgb(122, 31, 31)'));
    await signIn(page, site.owner);
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    for (const path of ['/account', '/account/change-password', '/admin', '/admin/audit']) {
      await page.goto(path);
      expect(await looks(page)).toMatchObject({ font: 'ui-monospace, monospace', corner: '0px' });
      await expectReadable();
    }
    const query = {
      client_id: site.client_id,
      response_type: 'code',
      redirect_uri: 'http://127.0.0.1:7777/callback',
      scope: 'appearance:read appearance:write',
      state: 'x',
      resource: site.base_url,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      prompt: 'consent',
    };
    await page.goto(`/oauth/authorize?${new URLSearchParams(query).toString()}`);
    await page.getByRole('heading', { name: /^Allow Looks at/ }).waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await looks(page)).toMatchObject({ accent: 'rgb(122, 31, 31)' });
    await expectReadable();
    await visiting.context.clearCookies();
  });

  it('shows its logo in a fixed box, and its name when the logo does not load', async () => {
    const logo = page.getByRole('banner').getByRole('img', { name: site.name });
    const shown = (): Promise<object> =>
      page.evaluate<object>(`(() => {
        const img = document.querySelector('.logo');
        const { width, height } = img.getBoundingClientRect();
        return { width, height, comes: img.complete && img.naturalWidth > 0 };
      })()`);
    await page.setViewportSize({ width: 1280, height: 800 });
    await change({ logo_url: `${CDN}/logo.svg` }, async () => (await logo.count()) === 1);
    const box = await shown();
    expect(box).toMatchObject({ height: 48, comes: true });
    await expectReadable();

    await page.setViewportSize({ width: 1280, height: 800 });
    const isGone = async (): Promise<boolean> => (await logo.getAttribute('src'))?.endsWith('/gone.svg') ?? false;
    await change({ logo_url: `${CDN}/gone.svg` }, isGone);
    expect(await shown()).toEqual({ ...box, comes: false });
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await expectReadable();
    await change({ logo_url: null }, async () => (await logo.count()) === 0);
    expect(await page.getByRole('banner').innerText()).toBe(site.name);
  });

  it('previews a look in the admin area, and saves it', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto('/admin/appearance');
    await signIn(page, site.owner);
    await page.getByRole('heading', { level: 1, name: 'Look' }).waitFor();
    const before = await looks(page);
    await page.getByLabel('Accent').fill('#166534');
    await page.getByLabel('Corners').selectOption('Very round');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('status').filter({ hasText: 'This is a preview' }).waitFor();
    expect(await looks(page)).toMatchObject({ accent: 'rgb(22, 101, 52)', corner: '20px' });
    const elsewhere = await visiting.context.newPage();
    await elsewhere.goto(`${site.base_url}/admin/settings`);
    expect(await looks(elsewhere)).toMatchObject({ accent: before.accent });
    await elsewhere.close();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').filter({ hasText: 'are saved' }).waitFor();
    expect(await looks(page)).toMatchObject({ accent: 'rgb(22, 101, 52)', corner: '20px' });
    await visiting.context.clearCookies();
    await eventually(async () => {
      await page.goto('/account/sign-in');
      return accentIs('rgb(22, 101, 52)')();
    }, Boolean);
  });

  it('allows images only from the configured origins', async () => {
    await page.goto('/account/sign-in');
    await page.evaluate(`document.body.append(Object.assign(new Image(), { src: '${CDN}/logo.svg' }))`);
    const refusal = () => Promise.resolve(visiting.faults.splice(0));
    const [refused] = await eventually(refusal, (faults) => faults.length > 0);
    expect(refused).toContain('img-src data:');
  });
});
