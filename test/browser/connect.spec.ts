import { systemStack } from '../stack/system-stack.js';
import { screenshotsOf } from './screenshots.js';
import { useVisitor, visitor } from './visitor.js';

describe('the page that tells how to connect', () => {
  const [site, plain] = systemStack().sites;

  const visiting = useVisitor(site!.base_url, { scripts: true }, async () => {
    await visiting.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  });

  it.each(['/connect', '/mcp'])('copies configurations at %s', async (path) => {
    const { page } = visiting;
    await page.goto(path);
    const texts = await page.locator('[data-copy]').allTextContents();
    expect(texts[0]).toBe(`${site!.base_url}/mcp`);
    for (const [index, text] of texts.entries()) {
      const part = page.locator('[data-copy]').nth(index).locator('xpath=ancestor::details[not(@open)]/summary');
      if ((await part.count()) > 0) await part.click();
      await page.locator('button.copy').nth(index).click();
      await page.getByRole('button', { name: 'Copied' }).first().waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text);
      await page.reload();
    }
  });

  it('offers links that open an application with the configuration', async () => {
    const { page } = visiting;
    await page.goto('/connect');
    const cursor = await page.locator('a', { hasText: 'Add to Cursor' }).getAttribute('href');
    expect(cursor).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=[\w-]+&config=[\w%]+$/);
    const code = await page.locator('a', { hasText: 'Add to VS Code' }).getAttribute('href');
    expect(JSON.parse(decodeURIComponent(code!.replace('vscode:mcp/install?', '')))).toEqual({
      name: expect.any(String),
      type: 'http',
      url: `${site!.base_url}/mcp`,
    });
  });

  it('opens one application at a time without scripts, by the keyboard too', async () => {
    const bare = await visitor(visiting.browser, site!.base_url, { scripts: false });
    await bare.page.goto('/connect');
    const opened = (): Promise<string[]> => bare.page.locator('details[open] summary').allInnerTexts();
    expect(await opened()).toEqual(['Claude']);
    await bare.page.locator('summary', { hasText: 'Cursor' }).click();
    expect(await opened()).toEqual(['Cursor']);
    await bare.page.locator('summary', { hasText: 'VS Code' }).press('Enter');
    expect(await opened()).toEqual(['VS Code']);
    expect(await bare.page.getByRole('link', { name: 'Add to VS Code' }).isVisible()).toBe(true);
    expect(bare.faults).toEqual([]);
    await bare.context.close();
  });

  it('shows the look of the site', async () => {
    const looks = async (at: string, path: string): Promise<unknown> => {
      const { context, page, faults } = await visitor(visiting.browser, at, { scripts: true });
      await page.goto(path);
      const [background, accent] = await page.evaluate<string[]>(`(() => {
        const root = getComputedStyle(document.documentElement);
        return [getComputedStyle(document.body).backgroundColor, root.getPropertyValue('--accent')];
      })()`);
      expect(faults).toEqual([]);
      await context.close();
      return { background, accent };
    };
    for (const { base_url } of [site!, plain!])
      expect(await looks(base_url, '/connect')).toEqual(await looks(base_url, '/'));
    expect(await looks(site!.base_url, '/connect')).not.toEqual(await looks(plain!.base_url, '/connect'));
  });

  it('lists tools that an anonymous caller can call', async () => {
    const { page } = visiting;
    await page.goto('/connect');
    const listed = await page.locator('dt code').allTextContents();
    const response = await fetch(`${site!.base_url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
    const [, data = '{}'] = /^data: (.*)$/m.exec(await response.text()) ?? [];
    const { result } = JSON.parse(data) as { result: { tools: { name: string }[] } };
    expect(listed.length).toBeGreaterThan(5);
    expect(result.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(listed));
    await screenshotsOf(page, 'connect');
  });
});
