import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { RunningService } from '@lyceum/platform';
import { activeAt, eventually, IntrospectionServer, PERSON_ID, respondJson, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { FakeAuth, siteFixture, startFixture } from './fixture.service.js';

const SITE = siteFixture(1, 'one.example');
const PORTED = siteFixture(2, 'two.example:8443');
const SUSPENDED = siteFixture(3, 'three.example', { state: 'suspended' });
const METADATA = 'resource_metadata="https://one.example/.well-known/oauth-protected-resource"';

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

let nats: TestNats;
let auth: FakeAuth;
let introspection: IntrospectionServer;
let service: RunningService;

/** Raw headers, so that they can be repeated. */
function send(path: string, headers: string[], options: { method?: string; to?: RunningService } = {}): Promise<Reply> {
  const url = new URL(path, (options.to ?? service).url);
  const sent = headers.some((name, i) => i % 2 === 0 && name.toLowerCase() === 'host')
    ? headers
    : ['Host', SITE.host, ...headers];
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: options.method ?? 'GET', headers: sent, setHost: false }, (incoming) => {
      let text = '';
      incoming.on('data', (chunk) => (text += String(chunk)));
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
        }),
      );
    });
    outgoing.on('error', reject).end();
  });
}

let serial = 0;
const bearer = (): string[] => ['Authorization', `Bearer refusal-${(serial += 1)}`];

beforeAll(async () => {
  nats = await testNats();
  introspection = await new IntrospectionServer().start();
  auth = await FakeAuth.start(nats.environment('auth'));
  for (const site of [SITE, PORTED, SUSPENDED]) await auth.putSite(site);
  service = await startFixture(nats.environment('member-api'), introspection.url);
  await eventually(async () => (await send('/open', [])).status === 200);
});

afterAll(async () => {
  await service?.close();
  await auth?.close();
  await introspection?.stop();
  await nats?.stop();
});

beforeEach(() => {
  introspection.response = (reply) => respondJson(reply, activeAt(SITE));
});

describe('a protected endpoint', () => {
  it('serves a valid token with its principal and site', async () => {
    const reply = await send('/account', bearer());
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ person_id: PERSON_ID, site: SITE.name });
    expect(reply.body['fingerprint']).toMatch(/^[0-9a-f]{16}$/);
  });

  it.each([
    ['without a token', []],
    ['with a token in the query', [], '/account?access_token=abc'],
    ['with another scheme', ['Authorization', 'Basic abc']],
    ['with a token that is malformed', ['Authorization', 'Bearer a b']],
    ['with two tokens', ['Authorization', 'Bearer a', 'Authorization', 'Bearer a']],
  ])(
    'refuses a request %s with 401 and the challenge, without introspection',
    async (_name, headers, path = '/account') => {
      introspection.requests.length = 0;
      const reply = await send(path, headers);
      expect(reply.status).toBe(401);
      expect(reply.headers['www-authenticate']).toMatch(/^Bearer error="invalid_token", /);
      expect(reply.headers['www-authenticate']).toContain(METADATA);
      expect(reply.headers['www-authenticate']).toContain('scope="account:read"');
      expect(reply.body).toMatchObject({ code: 'invalid_token', error: 'invalid_token', status: 401 });
      expect(reply.headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(introspection.requests).toHaveLength(0);
    },
  );

  it.each([
    ['inactive', { active: false }],
    ['foreign', activeAt(PORTED)],
  ])('refuses a token that is %s with 401 and the challenge', async (_name, response) => {
    introspection.response = (reply) => respondJson(reply, response);
    const reply = await send('/account', bearer());
    expect(reply.status).toBe(401);
    expect(reply.headers['www-authenticate']).toContain('error="invalid_token"');
    expect(reply.headers['www-authenticate']).toContain(METADATA);
  });

  it('refuses a token without the scope with 403 and names all scopes', async () => {
    const reply = await send('/account', [...bearer(), 'Content-Length', '0'], { method: 'POST' });
    expect(reply.status).toBe(403);
    expect(reply.headers['www-authenticate']).toMatch(/^Bearer error="insufficient_scope", /);
    expect(reply.headers['www-authenticate']).toContain('scope="account:read account:write"');
    expect(reply.headers['www-authenticate']).toContain(METADATA);
    expect(reply.body).toMatchObject({ code: 'insufficient_scope', error: 'insufficient_scope' });
  });

  it('refuses an operator token at a member endpoint, regardless of its scopes', async () => {
    introspection.response = (reply) => respondJson(reply, activeAt(SITE, { audience: 'operator' }));
    const reply = await send('/account', bearer());
    expect(reply.status).toBe(403);
    expect(reply.body['code']).toBe('insufficient_scope');
    expect(reply.body['detail']).toMatch(/^This is for members, and this application is for operators/);
    expect(reply.body['hint']).toMatch(/^Connect an application for members to use it; more scopes do not help/);
  });

  it('returns 503 with Retry-After and without a challenge when introspection is unavailable', async () => {
    introspection.response = (reply) => respondJson(reply, {}, 500);
    const reply = await send('/account', bearer());
    expect(reply.status).toBe(503);
    expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(reply.headers['www-authenticate']).toBeUndefined();
    expect(reply.body).toMatchObject({ code: 'temporarily_unavailable', error: 'temporarily_unavailable' });
  });
});

describe('an open endpoint', () => {
  it.each([[[]], [['Authorization', 'Bearer bad token']]])('serves every caller, with %j', async (headers) => {
    introspection.requests.length = 0;
    expect((await send('/open', headers)).status).toBe(200);
    expect(introspection.requests).toHaveLength(0);
  });
});

describe('the site of a request', () => {
  it.each(['one.example', 'ONE.Example', 'one.example.', 'one.example:443', 'two.example:8443'])(
    'resolves for the host %s',
    async (host) => {
      expect((await send('/open', ['Host', host])).status).toBe(200);
    },
  );

  it.each(['unknown.example', 'one.example:8443', 'two.example', 'three.example', 'one.example@evil', '[::1]', '.'])(
    'returns 421 for %s, even without a route',
    async (host) => {
      for (const path of ['/open', '/account', '/nowhere']) {
        const reply = await send(path, ['Host', host]);
        expect(reply.status).toBe(421);
        expect(reply.body['code']).toBe('unknown_host');
      }
    },
  );

  it('uses the last X-Forwarded-Host of a trusted proxy', async () => {
    const forwarded = (value: string): string[] => ['Host', 'internal:3000', 'X-Forwarded-Host', value];
    expect((await send('/open', forwarded('one.example'))).body['site']).toBe(SITE.name);
    expect((await send('/open', forwarded('evil.example, two.example:8443'))).body['site']).toBe(PORTED.name);
    expect((await send('/open', forwarded('one.example, evil.example'))).status).toBe(421);
  });

  it('uses the Host header when no proxy is trusted', async () => {
    const alone = await startFixture(nats.environment('member-api'), introspection.url, { trustedProxies: 'none' });
    try {
      const ask = (headers: string[]): Promise<Reply> => send('/open', headers, { to: alone });
      await eventually(async () => (await ask([])).status === 200);
      expect((await ask(['Host', SITE.host, 'X-Forwarded-Host', 'two.example:8443'])).body['site']).toBe(SITE.name);
      expect((await ask(['Host', 'evil.example', 'X-Forwarded-Host', SITE.host])).status).toBe(421);
    } finally {
      await alone.close();
    }
  });

  it('returns 400 for two Host headers', async () => {
    expect((await send('/open', ['Host', 'one.example', 'Host', 'two.example:8443'])).status).toBe(400);
  });

  it('follows the directory: a new host, a suspension, a removal', async () => {
    const site = siteFixture(4, 'four.example');
    const status = async (host: string): Promise<number> => (await send('/open', ['Host', host])).status;
    await auth.putSite(site);
    await eventually(async () => (await status('four.example')) === 200);
    await auth.putSite({ ...site, host: 'cuatro.example', base_url: 'https://cuatro.example' });
    await eventually(async () => (await status('cuatro.example')) === 200);
    expect(await status('four.example')).toBe(421);
    await auth.putSite({ ...site, state: 'suspended' });
    await eventually(async () => (await status('cuatro.example')) === 421);
    await auth.putSite(site);
    await eventually(async () => (await status('four.example')) === 200);
    await auth.removeSite(site);
    await eventually(async () => (await status('four.example')) === 421);
  });
});

describe('a host that moves to another site', () => {
  it('belongs to one site at any time, in either order of the changes', async () => {
    const from = siteFixture(5, 'five.example');
    const to = siteFixture(6, 'six.example');
    const siteAt = async (host: string): Promise<unknown> => (await send('/open', ['Host', host])).body['site'];
    await auth.putSite(from);
    await auth.putSite(to);
    await eventually(async () => (await siteAt('six.example')) === to.name);
    await auth.putSite({ ...to, host: 'five.example', base_url: 'https://five.example' });
    await eventually(async () => (await send('/open', ['Host', 'six.example'])).status === 421);
    expect(await siteAt('five.example')).toBe(from.name);
    await auth.putSite({ ...from, host: 'cinco.example', base_url: 'https://cinco.example' });
    await eventually(async () => (await siteAt('five.example')) === to.name);
    expect(await siteAt('cinco.example')).toBe(from.name);
  });
});

describe('a service that was started before NATS', () => {
  it('returns 503 until the sites are loaded', async () => {
    const late = await testNats();
    await late.kill();
    const early = await startFixture(late.environment('member-api'), introspection.url);
    try {
      const reply = await send('/open', [], { to: early });
      expect(reply.status).toBe(503);
      expect(reply.headers['retry-after']).toBeDefined();
      await late.restart();
      const writer = await FakeAuth.start(late.environment('auth'));
      await writer.putSite(SITE);
      await eventually(async () => (await send('/open', [], { to: early })).status === 200);
      await writer.close();
    } finally {
      await early.close();
      await late.stop();
    }
  });
});
