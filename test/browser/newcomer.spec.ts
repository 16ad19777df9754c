import type { Page } from 'playwright-core';
import { systemStack } from '../stack/system-stack.js';
import { overflow } from './measures.js';
import { useVisitor } from './visitor.js';

const MOST_CLICKS = 5;

/** Links by their names, from the address of the site, and what the last page shows. */
const WALKS: readonly (readonly [goal: string, links: readonly string[], heading: RegExp, words: RegExp])[] = [
  ['sign in', ['Your account'], /^Sign in$/, /Email address/],
  ['get a token', ['Authentication guide'], /^Authentication at /, /Authorization Code with PKCE/],
  ['call the operator API', ['Guides', 'First call'], /^First call$/, /\/api\/v1\/courses\?limit=5/],
  ['call the member API', ['Guides', 'First call'], /^First call$/, /\/member\/graphql/],
  ['call the tools', [], /^The open API of /, /\/mcp[^]*tools\/call/],
  ['read all operations', ['Guides', 'All error codes', 'All operations'], /API$/, /List courses/],
  ['connect an assistant', ['Connect an agent'], /^Connect to /, /claude mcp add/],
  ['read the meaning of an error', ['Guides', 'All error codes', 'invalid_token'], /^invalid_token$/, /What to do/],
];

describe('a newcomer in a browser', () => {
  const site = systemStack().sites[0]!;
  let page: Page;

  const visiting = useVisitor(site.base_url, { scripts: true }, () => {
    ({ page } = visiting);
  });

  describe.each([1280, 390])('at %d pixels', (width) => {
    beforeAll(() => page.setViewportSize({ width, height: 844 }));

    it.each(WALKS)('finds from the address of a site how to %s', async (_goal, links, heading, words) => {
      expect(links.length).toBeLessThanOrEqual(MOST_CLICKS);
      await page.goto('/');
      for (const name of links) await page.getByRole('link', { name, exact: true }).first().click();
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      expect(await page.locator('main').innerText()).toMatch(words);
      expect(await overflow(page)).toEqual([width, 0]);
    });
  });
});
