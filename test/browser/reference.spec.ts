import type { Page } from 'playwright-core';
import { systemStack } from '../stack/system-stack.js';
import { serious } from './axe.js';
import { loadedBytes, MOST_BYTES, overflowAt } from './measures.js';
import { addPageApplication } from './page-applications.js';
import { screenshotsOf } from './screenshots.js';
import { useVisitor, visitor } from './visitor.js';

/** The reference at one operation. */
const OPERATION = '/docs#tag/courses/GET/api/v1/courses';

/** Below it is an operation with another method. */
const CHANGE = '/docs#tag/courses/PATCH/api/v1/courses/{id}';

/** Clicks on the picker of languages, and milliseconds after one until its list is open. */
const MOST_CLICKS = 5;
const OPENED_MS = 3_000;

/** The reference is rendered several times in one test, on a busy machine. */
const LONG = 240_000;

describe('the API reference', () => {
  const site = systemStack().sites[0]!;
  let page: Page;

  const visiting = useVisitor(site.base_url, { scripts: true }, () => {
    ({ page } = visiting);
    page.setDefaultTimeout(60_000);
  });

  const ready = (): Promise<void> =>
    page
      .getByRole('heading', { level: 1 })
      .filter({ hasNotText: /^(API reference|API 參考文件)$/ })
      .waitFor();
  const open = async (): Promise<void> => {
    await page.goto('about:blank');
    await page.goto('/docs');
    await ready();
  };

  it('loads at most 1 MB, and from the caches of the browser the second time', async () => {
    const [first, second] = await loadedBytes(page, open);
    expect([first > 100_000, first <= MOST_BYTES, second < 50_000]).toEqual([true, true, true]);
  });

  it('finds an operation by search', async () => {
    await open();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Enter search query' }).fill('enroll a student');
    await page.getByRole('option').first().waitFor();
    expect(await serious(page)).toEqual([]);
    await page.getByRole('option').first().click();
    const found = page.getByRole('heading', { name: /enroll/i }).first();
    await found.waitFor();
    expect(await found.isVisible()).toBe(true);
  });

  it('shows the samples that a test runs, in four languages', async () => {
    await page.goto('about:blank');
    await page.goto(OPERATION);
    const picker = page.getByTestId('client-picker').first();
    await picker.waitFor();
    const shown = (words: string) => page.locator('.code-snippet', { hasText: words }).first().waitFor();
    const options = page.getByRole('option');
    const openList = async (): Promise<void> => {
      // A list that is still closing takes a click for itself.
      await options.first().waitFor({ state: 'hidden' });
      for (let clicks = 1; !(await options.first().isVisible()) && clicks <= MOST_CLICKS; clicks += 1) {
        await picker.click();
        await options
          .first()
          .waitFor({ timeout: OPENED_MS })
          .catch(() => undefined);
      }
    };
    expect((await picker.textContent())?.trim()).toBe('curl');
    await shown(`curl --fail-with-body '${site.base_url}/api/v1/`);
    for (const [language, words] of [
      ['TypeScript', `await fetch('${site.base_url}/api/v1/`],
      ['Python', 'urllib.request.Request('],
      ['PHP', 'stream_context_create('],
    ] as const) {
      await openList();
      await page.getByRole('option', { name: language, exact: true }).click();
      await shown(words);
    }
    await openList();
    expect(await options.allTextContents()).toHaveLength(4);
    await page.keyboard.press('Escape');
  });

  it(
    'sends a request after a sign-in with consent, and keeps the token in memory only',
    async () => {
      await addPageApplication(page, site, 'API reference');
      await page.goto(OPERATION);
      const operation = page.getByRole('heading', { name: 'List courses', exact: true });
      await operation.waitFor();
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      await page.getByText('You are signed in').waitFor();
      await ready();
      await page.evaluate(`location.hash = '${new URL(OPERATION, site.base_url).hash}'`);
      await operation.waitFor();
      expect(new URL(page.url()).search).toBe('');
      await page.getByRole('button', { name: /^Test Request.*\(get \/api\/v1\/courses\)/ }).click();
      await page
        .getByRole('button', { name: /Send get request to/ })
        .first()
        .waitFor();
      expect(await serious(page)).toEqual([]);
      const response = page.waitForResponse((one) => new URL(one.url()).pathname === '/api/v1/courses');
      await page
        .getByRole('button', { name: /Send get request to/ })
        .first()
        .click();
      const found = await response;
      expect([found.status(), await found.request().headerValue('authorization')]).toEqual([
        200,
        expect.stringMatching(/^Bearer \S{20,}$/),
      ]);
      const [, token = ''] = ((await found.request().headerValue('authorization')) ?? '').split(' ');
      const stored = await page.evaluate<string>(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
      );
      expect([stored.includes(token), /verifier|access_token/.test(stored)]).toEqual([false, false]);
      await page.reload();
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    },
    LONG,
  );

  // The first width is the one of a fresh load.
  it.each([
    {
      where: 'at the top, in dark mode',
      path: '/docs',
      // The cards of the tags list the paths of all operations.
      parts: ['.endpoints .endpoint-path'],
      widths: [390, 768, 1280],
      colorScheme: 'dark',
      rules: [
        [390, 'all'],
        [1280, 'colors'],
      ],
    },
    {
      where: 'at an operation, in light mode',
      path: CHANGE,
      parts: ['role=heading[name="Update a course"]', '.code-snippet'],
      widths: [1280, 768, 390],
      colorScheme: 'light',
      rules: [[1280, 'all']],
    },
  ] as const)('needs no horizontal scrolling, and keeps to the accessibility rules, $where', async (look) => {
    const { path, parts, widths, colorScheme, rules } = look;
    await page.setViewportSize({ width: widths[0], height: 900 });
    await page.emulateMedia({ colorScheme });
    await page.goto('about:blank');
    await page.goto(path);
    await ready();
    for (const part of parts) await page.locator(part).first().waitFor();
    const measured = await overflowAt(page, widths.slice(0, 1));
    for (const [width, checked] of rules) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await serious(page, checked)]).toEqual([width, []]);
    }
    measured.push(...(await overflowAt(page, widths.slice(1))));
    expect(measured).toEqual(widths.map((width) => [width, 0]));
  });

  it(
    'shows its frame in the requested language',
    async () => {
      await page.goto('/docs?ui_locales=zh-TW');
      expect(await page.evaluate('document.documentElement.lang')).toBe('zh-TW');
      expect(await page.getByRole('button', { name: '登入', exact: true }).isVisible()).toBe(true);
      await screenshotsOf(page, 'reference', ready);
    },
    LONG,
  );

  it('leads on without scripts', async () => {
    const bare = await visitor(visiting.browser, site.base_url, { scripts: false });
    await bare.page.goto('/docs');
    await bare.page.getByRole('link', { name: 'All operations on one page' }).click();
    await bare.page.getByText('List courses').filter({ visible: true }).first().waitFor();
    await screenshotsOf(bare.page, 'operations');
    expect(bare.faults).toEqual([]);
    await bare.context.close();
  });
});
