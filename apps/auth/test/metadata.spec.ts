import { SCOPE_NAMES } from '@lyceum/contracts';
import { eventually } from '@lyceum/testing';
import type { RequestListener } from 'node:http';
import { KeyRing } from '#src/keys/key-ring.js';
import { guide } from '#src/metadata/guide.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { Engines } from '#src/provider/engine/engines.js';
import { SitesService } from '#src/sites/sites.service.js';
import { switchConnections } from './admin-flow.js';
import { SOON_SEEN, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

const AS = '/.well-known/oauth-authorization-server';
const CATALOG = '/.well-known/api-catalog';
const PRM = '/.well-known/oauth-protected-resource';

describe('Metadata', () => {
  let auth: TestAuth;
  let flow: Flow;

  beforeAll(async () => {
    auth = await startAuth({ environment: SOON_SEEN });
    flow = new Flow(auth);
  });
  afterAll(() => auth.stop());

  it('serves the same metadata at both well-known addresses, for this site only', async () => {
    const [oauth, openid] = [await flow.send(AS), await flow.send('/.well-known/openid-configuration')];
    expect(openid.body).toEqual(oauth.body);
    const { base_url } = auth.site;
    expect(oauth.body).toMatchObject({
      issuer: base_url,
      authorization_endpoint: `${base_url}/oauth/authorize`,
      token_endpoint: `${base_url}/api/oauth/token`,
      jwks_uri: `${base_url}/.well-known/jwks.json`,
      registration_policy: { platforms: expect.any(Array), loopback: true },
    });
    expect(JSON.stringify(oauth.body)).not.toContain(auth.other.base_url);
  });

  it('matches the metadata of the engine in every shared member', async () => {
    const site = await auth.app.get(SitesService).byId(auth.site.site_id);
    if (site === undefined) throw new Error('The stage has it');
    const { provider } = await auth.app.get(Engines).of(site);
    const engine = await discoveryOf(provider);
    const { body } = await flow.send(AS);
    const shared = Object.keys(engine).filter((name) => name in body);
    // Ours is narrower: the engine lists every response mode that it knows, and does not know the subject type.
    const ours = ['response_modes_supported', 'claims_supported', 'subject_types_supported'];
    const compared = shared.filter((name) => !ours.includes(name));
    expect(compared.length).toBeGreaterThan(12);
    for (const name of compared) expect([name, sorted(body[name])]).toEqual([name, sorted(engine[name])]);
  });

  it('lists only endpoints that exist', async () => {
    const { body } = await flow.send(AS);
    const endpoints = Object.entries(body).filter(([name]) => name.endsWith('_endpoint') || name === 'jwks_uri');
    expect(endpoints).toHaveLength(8);
    for (const [name, address] of endpoints) {
      const { status } = await flow.send(new URL(String(address)).pathname, { method: 'DELETE' });
      expect([name, status]).toEqual([name, 405]);
    }
  });

  it.each([
    ['', ''],
    ['/mcp', '/mcp'],
    ['/member/graphql', ''],
    ['/api/v1', ''],
  ])('serves the resource metadata of %p with the resource %p', async (path, suffix) => {
    const { status, body } = await flow.send(`${PRM}${path}`);
    expect(status).toBe(200);
    expect(body['resource']).toBe(`${auth.site.base_url}${suffix}`);
    expect(body['authorization_servers']).toEqual([auth.site.base_url]);
    expect(body['scopes_supported']).not.toContain('account:read');
    expect(body['scopes_supported']).not.toContain('courses:write');
  });

  it('returns a problem for the metadata of an unknown resource', async () => {
    const { status, headers } = await flow.send(`${PRM}/nothing`);
    expect([status, headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  });

  it('lists the APIs of this site with their metadata, also while MCP connections are off', async () => {
    const { base_url } = auth.site;
    const metadata = async (): Promise<unknown> => {
      const { body } = await flow.send(CATALOG);
      const linkset = body['linkset'] as { anchor: string; 'service-meta': { href: string }[] }[];
      expect(linkset.map(({ anchor }) => anchor)).toContain(`${base_url}/api/v1`);
      expect(JSON.stringify(body)).not.toContain(auth.other.base_url);
      return linkset.find(({ anchor }) => anchor === `${base_url}/mcp`)?.['service-meta'].map(({ href }) => href);
    };
    expect(await metadata()).toEqual([`${base_url}${PRM}/mcp`, `${base_url}${AS}`]);
    await switchConnections(auth, false);
    const off = [`${base_url}${PRM}`, `${base_url}${AS}`];
    expect(await eventually(metadata, (found) => JSON.stringify(found) === JSON.stringify(off))).toEqual(off);
    await switchConnections(auth, true);
  });

  it('omits agent_auth from the metadata', async () => {
    const documents = await Promise.all([AS, PRM, `${PRM}/mcp`].map((path) => flow.send(path)));
    const text = JSON.stringify(documents.map(({ body }) => body));
    for (const word of ['agent_auth', 'identity_endpoint', 'register_uri', 'claim_uri', 'jwt-bearer']) {
      expect(text).not.toContain(word);
    }
  });

  it.each([AS, PRM, '/.well-known/jwks.json', CATALOG, '/auth.md'])(
    'makes %s cacheable per host and readable by scripts',
    async (path) => {
      const { headers } = await flow.send(path, { headers: { origin: 'https://app.example' } });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
      expect(headers.get('vary')).toContain('Host');
      const etag = headers.get('etag') ?? '';
      const again = await flow.send(path, { headers: { 'if-none-match': etag } });
      expect(again.status).toBe(304);
    },
  );

  it('publishes public keys only', async () => {
    const { headers, body } = await flow.send('/.well-known/jwks.json');
    expect(headers.get('content-type')).toContain('application/jwk-set+json');
    const keys = body['keys'] as Record<string, unknown>[];
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
    expect(keys[0]).not.toHaveProperty('d');
  });

  it('publishes a new key before it signs, and signs with the old one until then', async () => {
    const kid = await auth.app.get(KeyRing).rotate();
    const { body } = await flow.send('/.well-known/jwks.json');
    const kids = (body['keys'] as { kid: string }[]).map((key) => key.kid);
    expect(kids).toHaveLength(2);
    expect(kids).toContain(kid);
    const { id_token = '' } = await flow.tokens();
    const header = JSON.parse(Buffer.from(id_token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string };
    expect(kids).toContain(header.kid);
    expect(header.kid).not.toBe(kid);
  });

  it('lists every scope, endpoint and lifetime in the guide', async () => {
    const { headers, body } = await flow.send('/auth.md');
    const text = String(body['text']);
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(text.slice(0, 600)).toContain('There is no claim step');
    for (const scope of SCOPE_NAMES) expect(text).toContain(`\`${scope}\``);
    const { body: metadata } = await flow.send(AS);
    for (const [name, address] of Object.entries(metadata)) {
      if (name.endsWith('_endpoint') || name === 'jwks_uri') expect(text).toContain(String(address));
    }
    expect(text).toContain(`| Access token | ${LIFETIMES.accessToken / 60} minutes |`);
  });

  it('tells no client to repeat a refresh where a replaced token ends its family', async () => {
    const site = await auth.app.get(SitesService).byId(auth.site.site_id);
    const text = (repeatSeconds: number) => guide(site!, { developerInfoUrl: undefined, repeatSeconds });
    expect(text(60)).toMatch(/repeat at once[^]*repeatable for 60 seconds, 3 times/);
    expect(text(0)).toMatch(/do not repeat: authorize again[^]*Replaced refresh token \| not repeatable/);
    expect(text(0)).not.toMatch(/repeat at once|repeatable for 0/);
  });

  it('shows the guide as a page to browsers, and as Markdown to all others', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const page = await flow.send('/auth.md', { headers: { accept: browser } });
    const text = String(page.body['text']);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<h2 id="get-a-client">Get a client</h2>');
    expect(text).toContain('<a href="/auth.md" aria-current="page">');
    expect(text).not.toMatch(/<p>(?:#|- |\|)|\*\*/);
    for (const scope of SCOPE_NAMES) expect(text.replaceAll('<wbr />', '')).toContain(`<code>${scope}</code>`);
    for (const accept of [
      '*/*',
      'text/markdown, text/html;q=0.9, */*;q=0.1',
      'text/plain, text/html',
      'application/json',
    ]) {
      const { headers } = await flow.send('/auth.md', { headers: { accept } });
      expect([accept, headers.get('content-type')]).toEqual([accept, 'text/markdown; charset=utf-8']);
      expect(headers.get('vary')).toContain('Accept');
    }
  });

  it.each(['/agent/auth', '/agent', '/agents', '/Agent/auth', '/register', '/oauth/token', '/.well-known/agent-auth'])(
    'returns a problem with a link to the guide for %s',
    async (path) => {
      const { status, headers, body } = await flow.send(path, { method: 'POST' });
      expect([status, headers.get('content-type')]).toEqual([404, 'application/problem+json']);
      expect(body['detail']).toContain('/auth.md');
    },
  );

  it('shows a landing page at the root', async () => {
    const { status, headers, body } = await flow.send('/');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(String(body['text'])).toContain(`${auth.site.base_url}/member/schema.graphql`);
  });
});

const sorted = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(String).toSorted((one, other) => one.localeCompare(other)) : value;

async function discoveryOf(provider: {
  issuer: string;
  callback(): RequestListener;
}): Promise<Record<string, unknown>> {
  const { createServer } = await import('node:http');
  const server = createServer(provider.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const response = await fetch(`http://127.0.0.1:${port}${AS}`, {
      headers: { 'x-forwarded-host': new URL(provider.issuer).host },
    });
    return (await response.json()) as Record<string, unknown>;
  } finally {
    server.close();
  }
}
