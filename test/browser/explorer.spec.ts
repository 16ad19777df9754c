import type { Page } from 'playwright-core';
import { personOf, systemStack } from '../stack/system-stack.js';
import { serious } from './axe.js';
import { loadedBytes, MOST_BYTES, overflow } from './measures.js';
import { addPageApplication } from './page-applications.js';
import { screenshotsOf } from './screenshots.js';
import { signIn } from './sign-in.js';
import { useVisitor, visitor } from './visitor.js';

const PATH = '/member/explorer';
/** The names of the saved queries. The explorer has a tab for each. */
const SAVED = ['Me', 'MyCourses', 'NextLectures', 'MyNotifications', 'MySchools'];

interface SavedResult {
  readonly data?: { readonly viewer: object | null } | null;
  readonly errors?: readonly { readonly message: string }[];
}

/** Pixels of a side of a button for a finger (WCAG 2.2, 2.5.5), and of a smaller one (2.5.8). */
const FINGER = 44;
const LEAST = 24;
/** The parts of the explorer, from the top of a phone to its end. */
const PARTS = ['query-editor', 'editor-tools', 'editor-tool', 'response'].map((part) => `.graphiql-${part}`);

interface Box {
  readonly name: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The places of the visible elements on the page, in whole pixels. */
const boxes = (page: Page, selector: string): Promise<Box[]> =>
  page.evaluate<Box[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})]
    .filter((element) => element.checkVisibility())
    .map((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const name = element.getAttribute('aria-label') ?? element.textContent;
      const [from, to] = [top + scrollY, bottom + scrollY].map(Math.round);
      return { name, left: Math.round(left), top: from, right: Math.round(right), bottom: to };
    })`);

describe('the GraphQL explorer', () => {
  const site = systemStack().sites[0]!;
  let page: Page;

  const visiting = useVisitor(site.base_url, { scripts: true }, () => {
    ({ page } = visiting);
  });

  const run = async (): Promise<string> => {
    const response = page.waitForResponse((one) => one.url().endsWith('/member/graphql'));
    await page.getByRole('button', { name: /^Execute query/ }).click();
    return (await response).text();
  };

  it('loads at most 1 MB, and from the caches of the browser the second time', async () => {
    const [first, second] = await loadedBytes(page, async () => {
      await page.goto('about:blank');
      await page.goto(PATH);
      await page.locator('.graphiql-query-editor .CodeMirror').waitFor();
      // The editors load their modules when they are shown.
      await page.waitForLoadState('networkidle');
    });
    expect([first > 100_000, first <= MOST_BYTES, second < 50_000]).toEqual([true, true, true]);
  });

  it('tells an owner how to add an application, which takes one click', async () => {
    await page.goto(PATH);
    await page.getByText('How to get a client_id').click();
    expect(await page.getByText(`${site.base_url}${PATH}`).count()).toBe(1);
    expect(await page.getByLabel('client_id').inputValue()).toBe('');
    const owners = await visitor(visiting.browser, site.base_url, { scripts: true });
    await addPageApplication(owners.page, site, 'GraphQL explorer');
    expect(owners.faults).toEqual([]);
    await owners.context.close();
    await page.reload();
    expect(await page.getByLabel('client_id').inputValue()).not.toBe('');
  });

  it('runs a query and each saved one after a sign-in with consent, and keeps the token in memory only', async () => {
    await page.goto(PATH);
    expect(await run()).toContain('errors');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await signIn(page, personOf(site, 'student'));
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('You are signed in').waitFor();
    expect(new URL(page.url()).search).toBe('');
    const { data } = JSON.parse(await run()) as { data: { viewer: { name: string } } };
    expect(data.viewer.name).toEqual(expect.any(String));
    await page.locator('.result-window').getByText(data.viewer.name).first().waitFor();

    for (const name of SAVED) {
      await page.locator('.graphiql-tab-button', { hasText: new RegExp(`^${name}$`) }).click();
      let saved: SavedResult;
      // The editor reads the name of the operation a moment after its tab opens.
      do saved = JSON.parse(await run()) as SavedResult;
      while (saved.errors?.some(({ message }) => message.startsWith('Unknown operation')));
      expect([name, saved.errors, typeof saved.data?.viewer]).toEqual([name, undefined, 'object']);
      expect(saved.data?.viewer).not.toBeNull();
    }

    const stored = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(stored).not.toMatch(/Bearer|access_token|verifier/);
    await page.reload();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await run()).toContain('errors');
  });

  it('asks for consent again, and shows a refusal', async () => {
    await page.goto(PATH);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Do not allow' }).click();
    await page.locator('#state', { hasText: /\w/ }).waitFor();
    expect(await page.locator('#state').textContent()).not.toContain('signed in');
  });

  it('refuses a code that this browser did not ask for', async () => {
    await page.goto(`${PATH}?code=stolen&state=other&iss=${encodeURIComponent(site.base_url)}`);
    const refusal = page.getByText('This sign-in was not started here');
    await refusal.waitFor();
    expect(await refusal.isVisible()).toBe(true);
  });

  it('revokes the token at the sign-out', async () => {
    await page.goto(PATH);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('You are signed in').waitFor();
    const revoked = page.waitForResponse((one) => one.url().endsWith('/api/oauth/revoke'));
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect((await revoked).status()).toBe(200);
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  });

  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('keeps to the accessibility rules in %s mode at %d pixels', async (colorScheme, width) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.goto(PATH);
    await page.locator('.graphiql-container').waitFor();
    expect(await serious(page)).toEqual([]);
    await page.getByRole('button', { name: /Documentation/ }).click();
    await page.locator('.graphiql-doc-explorer-type-name').first().waitFor();
    expect(await serious(page)).toEqual([]);
  });

  it.each([390, 320])('stacks query, variables and response for a finger at %d pixels', async (width) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(PATH);
    await page.locator('.graphiql-container').waitFor();
    await page.getByRole('button', { name: 'Variables' }).click();
    await page.locator('.graphiql-editor-tool .CodeMirror').first().waitFor();
    const parts = await boxes(page, PARTS.join());
    expect(parts).toHaveLength(PARTS.length);
    for (const [index, { left, top, right, bottom }] of parts.entries()) {
      expect([PARTS[index], left >= 0, right <= width, right - left >= 0.85 * width]).toEqual([
        PARTS[index],
        true,
        true,
        true,
      ]);
      expect([PARTS[index], top >= (parts[index - 1]?.bottom ?? 0), bottom - top >= FINGER]).toEqual([
        PARTS[index],
        true,
        true,
      ]);
    }
    const small = async (selector: string, least: number): Promise<string[]> => {
      const buttons = await boxes(page, selector);
      expect(buttons.length).toBeGreaterThan(1);
      return buttons
        .filter((box) => Math.min(box.right - box.left, box.bottom - box.top) < least)
        .map(({ name }) => name);
    };
    expect(await small('.graphiql-container button:not(.graphiql-tab-close)', FINGER)).toEqual([]);
    expect(await small('.graphiql-tab-close', LEAST)).toEqual([]);
    expect(await overflow(page)).toEqual([width, 0]);
    await run();
    await page.locator('.result-window').getByText('errors').first().waitFor();
    expect(await overflow(page)).toEqual([width, 0]);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('shows its frame in the requested language', async () => {
    await page.goto(`${PATH}?ui_locales=zh-TW`);
    expect(await page.evaluate('document.documentElement.lang')).toBe('zh-TW');
    expect(await page.getByRole('button', { name: '登入', exact: true }).isVisible()).toBe(true);
    await screenshotsOf(page, 'explorer', () => page.locator('.graphiql-container').waitFor());
  });

  it('leads on without scripts', async () => {
    const bare = await visitor(visiting.browser, site.base_url, { scripts: false });
    await bare.page.goto(PATH);
    await bare.page.getByRole('link', { name: 'schema.graphql' }).waitFor();
    expect(bare.faults).toEqual([]);
    await bare.context.close();
  });
});
