import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { systemStack } from '../stack/system-stack.js';
import { violations } from './axe.js';
import { useVisitor } from './visitor.js';

describe('the page at the address of a site', () => {
  const site = systemStack().sites[0]!;
  let page: Page;

  const visiting = useVisitor(site.base_url, { scripts: true }, async () => {
    await visiting.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    ({ page } = visiting);
  });
  beforeEach(() => page.goto('/'));

  it('shows three calls that work as they stand in a shell', async () => {
    const commands = await page.locator('[data-copy]').allTextContents();
    expect(commands).toHaveLength(3);
    const [metadata, tool, schema] = commands.map((command) =>
      execFileSync('sh', ['-c', command], { encoding: 'utf8' }),
    );
    expect(JSON.parse(metadata!)).toMatchObject({ issuer: site.base_url });
    expect(tool).toContain('"structuredContent"');
    expect(schema).toMatch(/^type Query \{/m);
  });

  it('copies a call', async () => {
    const [command] = await page.locator('[data-copy]').allTextContents();
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(command);
    expect(await violations(page)).toEqual([]);
  });

  it('links only to addresses that exist', async () => {
    const paths = await page.evaluate<string[]>(
      `[...document.querySelectorAll('main a')].map(({ pathname }) => pathname)`,
    );
    expect(new Set(paths)).toEqual(
      new Set([
        '/docs',
        '/docs/guides',
        '/member/explorer',
        '/connect',
        '/llms.txt',
        '/account',
        '/auth.md',
        '/openapi.json',
        '/member/schema.graphql',
        '/.well-known/oauth-authorization-server',
        '/admin',
      ]),
    );
    for (const path of paths) expect([path, (await fetch(new URL(path, site.base_url))).status]).toEqual([path, 200]);
  });
});
