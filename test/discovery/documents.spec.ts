import { readdirSync } from 'node:fs';
import { AUTH, rawHttp, site, type ApiResponse } from '../security/oauth/attack.js';
import { startReplica } from '../stack/replica.js';
import { systemStack } from '../stack/system-stack.js';
import {
  AGENT_INDEX,
  API_CATALOG,
  CHAPTERS,
  DOCUMENTS,
  fetched,
  METADATA,
  OPENID,
  sectionTitles,
} from './documents.js';
import { AUTH_ENVIRONMENT } from './walker.js';

const host = new URL(site.base_url).host;

it('finds a file of proofs for every chapter of the documents', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.spec.ts'));
  expect(files.toSorted()).toEqual([...CHAPTERS, 'documents'].map((chapter) => `${chapter}.spec.ts`).toSorted());
});

it('lists the sections of the guide in order', async () => {
  const { text } = await fetched('/auth.md');
  expect(sectionTitles(text)).toEqual([
    'Audiences',
    'Discover',
    'Get a client',
    'Authorize',
    'Exchange',
    'Use',
    'Refresh',
    'Identity',
    'Revoke',
    'Scopes',
    'Errors',
    'Limits',
    'Not supported',
    'Contact',
  ]);
  expect(text.trim().split('\n').at(-1)).toBe(AUTH_ENVIRONMENT['DEVELOPER_INFO_URL']);
});

it('links only to addresses that exist from the index for agents', async () => {
  const { text } = await fetched(AGENT_INDEX);
  const links = [...text.matchAll(/^- \[[^\]]+\]\((\S+)\): /gm)].map(([, address = '']) => address);
  expect(links.length).toBeGreaterThan(8);
  for (const link of links) {
    expect(link.startsWith(`${site.base_url}/`)).toBe(true);
    expect([link, (await fetched(link.slice(site.base_url.length))).status]).toEqual([link, 200]);
  }
});

describe('the catalog of APIs', () => {
  interface Target {
    readonly href: string;
    readonly type: string;
  }
  type Entry = { readonly anchor: string } & Readonly<Record<'service-doc' | 'service-meta', readonly Target[]>> & {
      readonly 'service-desc'?: readonly Target[];
    };
  const entries = async (): Promise<readonly Entry[]> =>
    (await fetched(API_CATALOG)).body['linkset'] as readonly Entry[];

  it('serves a linkset with the profile of RFC 9727, which HEAD and the page of the site point to', async () => {
    const head = await rawHttp(site.base_url, API_CATALOG, { method: 'HEAD', headers: { host } });
    for (const { status, headers } of [await fetched(API_CATALOG), head]) {
      const type = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
      expect([status, headers['content-type']]).toEqual([200, expect.stringContaining(type)]);
    }
    for (const { headers } of [head, await fetched('/')])
      expect(headers['link']).toContain(`<${site.base_url}${API_CATALOG}>; rel="api-catalog"`);
    expect(head.text).toBe('');
  });

  it('lists each surface of the site by its address', async () => {
    const anchors = (await entries()).map(({ anchor }) => anchor);
    expect(anchors).toEqual(['/api/v1', '/member/graphql', '/mcp'].map((path) => `${site.base_url}${path}`));
    // No token: the operator API and the member API ask for one, and the tool endpoint serves public tools.
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const statuses = await Promise.all([
      fetch(`${anchors[0]}/courses`),
      fetch(anchors[1]!, { method: 'POST' }),
      fetch(anchors[2]!, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify(ping),
      }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 200]);
  });

  it('names documents of this site alone, which exist with the type that it names', async () => {
    const targets = (await entries()).flatMap((entry) => [
      ...(entry['service-desc'] ?? []),
      ...entry['service-doc'],
      ...entry['service-meta'],
    ]);
    expect(targets.length).toBeGreaterThan(12);
    for (const { href, type } of targets) {
      expect(href.startsWith(`${site.base_url}/`)).toBe(true);
      const response = await fetch(href, { headers: { accept: type } });
      expect([href, response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([href, 200, type]);
    }
  });
});

it('serves the same bytes at both well-known URLs of the metadata', async () => {
  expect((await fetched(OPENID)).text).toBe((await fetched(METADATA)).text);
});

it.each(DOCUMENTS)('serves %s cacheable, revalidated, with CORS and nosniff', async (path) => {
  const fetchGuide = (headers: Record<string, string> = {}): Promise<ApiResponse> =>
    rawHttp(site.base_url, path, { headers: { host, origin: 'https://app.example', ...headers } });
  const { status, headers } = await fetchGuide();
  expect([status, headers['x-content-type-options']]).toEqual([200, 'nosniff']);
  expect(headers['cache-control']).toMatch(/^public, max-age=[1-9]\d*$/);
  expect(headers['vary']).toContain('Host');
  expect([headers['access-control-allow-origin'], headers['access-control-allow-credentials']]).toEqual([
    '*',
    undefined,
  ]);
  const again = await fetchGuide({ 'if-none-match': headers['etag']! });
  expect([again.status, again.text]).toEqual([304, '']);
  expect((await fetchGuide({ 'if-none-match': '"another"' })).status).toBe(200);
  const preflight = await rawHttp(site.base_url, path, {
    method: 'OPTIONS',
    headers: { host, origin: 'https://app.example', 'access-control-request-method': 'GET' },
  });
  expect([preflight.status, preflight.headers['access-control-allow-methods']]).toEqual([
    204,
    expect.stringContaining('GET'),
  ]);
});

it('serves every document byte for byte the same from a second replica', async () => {
  const replica = await startReplica('auth', {});
  try {
    for (const path of DOCUMENTS) {
      const [one, other] = [AUTH.internal_url, replica.url].map((at) => rawHttp(at, path, { headers: { host } }));
      const [first, second] = [await one!, await other!];
      expect([path, second.status, second.text, second.headers['etag']]).toEqual([
        path,
        200,
        first.text,
        first.headers['etag'],
      ]);
    }
  } finally {
    await replica.stop();
  }
});

it.each(systemStack().services.map(({ name, internal_url }) => [name, internal_url]))(
  'sends nosniff with every response of %s',
  async (_name, at) => {
    for (const path of ['/no-such-path', '/', '/member/graphql', '/mcp', '/api/v1/courses']) {
      for (const headers of [{ host }, { host: 'unknown.example' }]) {
        const response = await rawHttp(at, path, { headers });
        expect([path, response.headers['x-content-type-options']]).toEqual([path, 'nosniff']);
      }
    }
  },
);
