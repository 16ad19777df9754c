import { BROWSER_PAGES, GUIDES } from '@lyceum/docs';
import { ClientsService } from '#src/clients/clients.service.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';

let auth: TestAuth;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());

async function open(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${auth.site.base_url}${path}`, { headers });
  return { status: response.status, url: response.url, headers: response.headers, text: await response.text() };
}

const NOTHING = 'This site has no application for this page yet';

describe('The pages for developers', () => {
  it.each(['/docs', '/docs/guides', '/docs/guides/first-call', '/member/explorer'])(
    'serves %s as a page that no other page frames',
    async (path) => {
      const { status, headers, text } = await open(path);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
      expect(text).not.toMatch(/undefined|\[object|school\.example\/docs/);
    },
  );

  it.each([
    ['/docs', 'reference'],
    ['/member/explorer', 'explorer'],
  ] as const)('runs scripts of this release alone at %s', async (path, name) => {
    const { headers, text } = await open(path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`script-src ${auth.site.base_url}/docs/assets/;`);
    expect(policy).toContain(`connect-src 'self';`);
    const loaded = [...text.matchAll(/<(?:script|link)[^>]* (?:src|href)="\/docs\/assets\/([^"]+)"/g)];
    expect(new Set(loaded.map(([, file]) => file))).toEqual(new Set(BROWSER_PAGES[name].loads));
    expect(text.match(/<script/g)).toHaveLength(1);
  });

  it.each([
    ['/member/explorer', 'member', ['account:read']],
    ['/docs', 'operator', ['courses:read']],
  ] as const)('offers the application that an owner has added for %s', async (path, audience, scopes) => {
    const { site_id, base_url } = auth.site;
    expect((await open(path)).text).toContain(NOTHING);
    const definition = { client_id: `for-${audience}`, name: 'Page', audience, scopes };
    await auth.app.get(ClientsService).apply(site_id, { ...definition, redirect_uris: [`${base_url}${path}`] });
    const { text } = await open(path);
    expect(text).toContain(`for-${audience}`);
    expect(text).not.toContain(NOTHING);
  });

  it('serves a guide with the address of the site, as a page and as Markdown', async () => {
    const { base_url } = auth.site;
    const page = await open('/docs/guides/first-call');
    expect(page.text).toContain(`BASE=${base_url}`);
    const { headers, text } = await open('/docs/guides/first-call.md');
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(text).toContain(`BASE=${base_url}`);
    const known = { 'if-none-match': headers.get('etag') ?? '' };
    expect((await open('/docs/guides/first-call.md', known)).status).toBe(304);
  });

  it('links each guide from the index', async () => {
    const { text } = await open('/docs/guides');
    for (const slug of GUIDES.keys()) expect(text).toContain(`href="/docs/guides/${slug}"`);
  });

  it('leads /docs/compatibility to its guide, and lists the recipes where /docs/clients leads', async () => {
    expect((await open('/docs/guides')).text).toContain('<h2 id="recipes">');
    const { status, url, text } = await open('/docs/compatibility');
    expect([status, new URL(url).pathname]).toEqual([200, '/docs/guides/compatibility']);
    expect(text).toContain('Breaking changes');
  });

  it('responds to an unknown guide with a page for people and a problem for programs', async () => {
    const person = await open('/docs/guides/nothing', { accept: 'text/html' });
    expect([person.status, person.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect((await open('/docs/guides/nothing')).headers.get('content-type')).toBe('application/problem+json');
  });
});

describe('The files of the pages', () => {
  const path = `/docs/assets/${BROWSER_PAGES.explorer.styles[0]}`;

  it('serves each in the coding that the client accepts, for a year', async () => {
    const responses = await Promise.all(
      ['gzip, br', 'gzip', 'identity'].map((coding) => open(path, { 'accept-encoding': coding })),
    );
    for (const { status, headers, text } of responses) {
      expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('vary')).toContain('Accept-Encoding');
      // fetch decodes the bodies.
      expect(text).toBe(responses[0]?.text);
    }
    expect(responses.map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', 'gzip', null]);
  });

  it.each(['/docs/assets/files.json', '/docs/assets/..%2Ffiles.json', '/docs/assets'])(
    'does not serve %s',
    async (other) => {
      expect((await open(other)).status).toBe(404);
    },
  );
});

describe('The look of the site for other services', () => {
  it('serves the style with the theme, and the script', async () => {
    const style = await open('/account/style.css');
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(style.text).toContain('--accent:');
    const script = await open('/account/scripts/page.js');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.text).toContain('data-copy');
  });
});

describe('/llms.txt', () => {
  it('names the endpoints of the site in the form of llmstxt.org', async () => {
    const { base_url, name } = auth.site;
    const { headers, text } = await open('/llms.txt');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text.split('\n')[0]).toBe(`# ${name}`);
    expect(text).toMatch(/^> .+/m);
    for (const path of ['/mcp', '/auth.md', '/openapi.json', '/member/schema.graphql', '/connect'])
      expect(text).toContain(`${base_url}${path}`);
    const links = text.split('\n').filter((line) => line.startsWith('- '));
    expect(links.length).toBeGreaterThan(8);
    for (const link of links) expect(link).toMatch(/^- \[[^\]]+\]\(https?:\/\/[^)]+\): ./);
  });
});
