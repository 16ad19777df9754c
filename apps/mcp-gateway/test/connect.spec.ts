import { eventually } from '@lyceum/testing';
import { Gateway, OTHER, SITE } from './gateway.js';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await Gateway.start();
});
afterAll(() => gateway?.close());

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

async function open(path: string, headers: Record<string, string> = {}): Promise<{ response: Response; text: string }> {
  const response = await fetch(`${gateway.url}${path}`, { headers: { 'x-forwarded-host': SITE.host, ...headers } });
  return { response, text: await response.text() };
}

describe('The page that tells how to connect', () => {
  it.each(['/connect', '/connect/', '/mcp', '/mcp/'])('opens at %s in a browser', async (path) => {
    const { response, text } = await open(path, { accept: BROWSER });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('vary')).toContain('Accept');
    expect(text).toContain(`<h1>Connect to <bdi>${SITE.name}</bdi></h1>`);
    expect(text).toContain(`${SITE.base_url}/mcp`);
    expect(text).not.toMatch(/undefined|\[object/);
  });

  it('loads the style and the script of the site alone', async () => {
    const { response, text } = await open('/connect');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src ${SITE.base_url}/account/scripts/page.js;`);
    expect(policy).toContain(`style-src ${SITE.base_url}/account/style.css 'sha256-`);
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("frame-ancestors 'none'");
    const loaded = [...text.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(loaded).toEqual(['data:,', '/account/style.css', '/account/scripts/page.js']);
  });

  it.each(['/connect/x', '/mcp/x', '/nothing'])('shows people a page at the unknown path %s', async (path) => {
    const page = await open(path, { accept: BROWSER });
    expect([page.response.status, page.response.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
    expect(page.text).toContain('<h1>The page does not exist</h1>');
    const problem = await open(path, { accept: 'application/json' });
    expect([problem.response.status, problem.response.headers.get('content-type')?.split(';')[0]]).toEqual([
      404,
      'application/problem+json',
    ]);
  });

  it('shows a part for each application, of which one is open', async () => {
    const { text } = await open('/connect');
    const parts = [
      ...text.matchAll(/<details class="item" name="application" (open)?\s*>\s*<summary><h2>([^<]+)<\/h2>/g),
    ];
    expect(parts.map(([, isOpen, name]) => [name, isOpen])).toEqual([
      ['Claude', 'open'],
      ...['ChatGPT', 'Cursor', 'VS Code', 'MCP Inspector', 'Applications without HTTP'].map((name) => [
        name,
        undefined,
      ]),
    ]);
  });

  it('lists the tools without a sign-in and counts the others', async () => {
    const { text } = await open('/connect');
    expect(text).toContain('<code>browse_catalog</code>');
    for (const hidden of ['my_courses', 'list_courses', 'whoami']) expect(text).not.toContain(`<code>${hidden}</code>`);
    expect(text).toMatch(/member application adds [1-9]\d* tools?/);
    expect(text).toMatch(/operator application adds up to [1-9]\d* tools?/);
  });

  it('names the site of the host', async () => {
    const { text } = await open('/connect', { 'x-forwarded-host': OTHER.host });
    expect(text).toContain(`${OTHER.base_url}/mcp`);
    expect(text).not.toContain(SITE.base_url);
  });

  it('shows the language of the site, and else that of the browser', async () => {
    const chinese = { accept: BROWSER, 'accept-language': 'zh-TW,zh;q=0.9,en;q=0.1' };
    for (const path of ['/connect', '/mcp']) {
      const { response, text } = await open(path, chinese);
      expect(text).toContain('<html lang="zh-TW" dir="ltr">');
      expect(text).toContain(`<h1>連結到「<bdi>${SITE.name}</bdi>」</h1>`);
      expect(response.headers.get('content-language')).toBe('zh-TW');
      const words = text
        .replace(/<(td lang="en"|title|pre|code|bdi|strong)[^>]*>[^]*?<\/(?:td|title|pre|code|bdi|strong)>/g, ' ')
        .replace(/<[^>]*>/g, ' | ');
      // Names of products and of their menus stay in English.
      expect(/(?:[A-Za-z']+[ ,]+){5}/.exec(words)).toBeNull();
    }
    await gateway.auth.putSite({ ...SITE, locale: 'zh-TW' });
    const english = { 'accept-language': 'en' };
    await eventually(async () => (await open('/connect', english)).text.includes('<html lang="zh-TW"'));
    expect((await open('/connect?ui_locales=fr+en', english)).text).toContain('<html lang="en"');
    await gateway.auth.putSite({ ...SITE, locale: 'en' });
    await eventually(async () => (await open('/connect', chinese)).text.includes('<html lang="en"'));
    await gateway.auth.putSite(SITE);
    await eventually(async () => (await open('/connect', chinese)).text.includes('<html lang="zh-TW"'));
  });

  it('says that MCP connections are off', async () => {
    await gateway.auth.putSite({ ...OTHER, mcp_connections: false });
    const headers = { 'x-forwarded-host': OTHER.host };
    await eventually(async () => (await open('/connect', headers)).text.includes('MCP connections are off'));
    expect((await open('/connect')).text).not.toContain('MCP connections are off');
  });

  it.each([
    ['application/json, text/event-stream'],
    ['text/event-stream'],
    ['text/html, text/event-stream'],
    ['application/json, text/html;q=0.9'],
    ['*/*'],
  ])('leaves GET /mcp with Accept: %s to the protocol', async (accept) => {
    const { response, text } = await open('/mcp', { accept });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(JSON.parse(text)).toMatchObject({ code: 'method_not_allowed' });
  });

  it.each(['POST', 'HEAD', 'DELETE'])('leaves %s /mcp to the protocol in a browser too', async (method) => {
    const response = await fetch(`${gateway.url}/mcp`, {
      method,
      headers: { 'x-forwarded-host': SITE.host, accept: BROWSER },
    });
    expect(response.headers.get('content-type') ?? '').not.toContain('html');
    expect(response.status).toBeGreaterThanOrEqual(400);
  });
});
