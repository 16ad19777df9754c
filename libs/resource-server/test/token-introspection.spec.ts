import type { Site } from '@lyceum/contracts';
import type { RunningService } from '@lyceum/platform';
import {
  activeAt,
  eventually,
  IntrospectionServer,
  MEMBER_ID,
  PERSON_ID,
  respondJson,
  testNats,
} from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { LIMITS } from '../src/configuration.js';
import { TokenVerifier } from '../src/index.js';
import type { TokenIntrospection } from '../src/index.js';
import { Revocations } from '../src/revocations.js';
import { FakeAuth, settled, siteFixture, startFixture } from './fixture.service.js';

const SITE = siteFixture(1, 'one.example');
const OTHER = siteFixture(2, 'two.example');

let nats: TestNats;
let auth: FakeAuth;
let introspection: IntrospectionServer;
let service: RunningService;
let verifier: TokenVerifier;
let serial = 0;

/** A token that was not introspected yet. */
const newToken = (): string => `token-${(serial += 1)}`;
const verify = async (token: string, site: Site = SITE): Promise<TokenIntrospection> => verifier.verify(token, site);

beforeAll(async () => {
  nats = await testNats();
  introspection = await new IntrospectionServer().start();
  auth = await FakeAuth.start(nats.environment('auth'));
  await auth.putSite(SITE);
  await auth.putSite(OTHER);
  service = await startFixture(nats.environment('member-api'), introspection.url);
  verifier = service.app.get(TokenVerifier);
  await eventually(() => service.app.get(Revocations).listening);
});

afterAll(async () => {
  await service?.close();
  await auth?.close();
  await introspection?.stop();
  await nats?.stop();
});

beforeEach(() => {
  introspection.requests.length = 0;
  introspection.response = (reply) => respondJson(reply, activeAt(SITE));
});

describe('introspection', () => {
  it('sends the token and the credentials in the form, encoded', async () => {
    await verify('a+b/c=');
    expect(Object.fromEntries(introspection.requests[0] ?? [])).toEqual({
      token: 'a+b/c=',
      token_type_hint: 'access_token',
      client_id: 'member-api',
      client_secret: 's e&cret',
    });
  });

  it('returns the principal of an active token', async () => {
    const result = await verify(newToken());
    expect(result).toEqual({
      kind: 'active',
      principal: expect.objectContaining({
        person_id: PERSON_ID,
        member_id: MEMBER_ID,
        site_id: SITE.site_id,
        client_id: 'client',
        audience: 'member',
        scopes: ['openid', 'account:read'],
        grant_id: 'grant',
      }),
    });
  });

  it('treats a token of another site as foreign, for each form of audience', async () => {
    expect(await verify(newToken(), OTHER)).toEqual({ kind: 'foreign' });
    introspection.response = (reply) => respondJson(reply, activeAt(SITE, { aud: OTHER.base_url }));
    expect(await verify(newToken())).toEqual({ kind: 'foreign' });
    introspection.response = (reply) => respondJson(reply, activeAt(SITE, { org_id: OTHER.org_id }));
    expect(await verify(newToken())).toEqual({ kind: 'foreign' });
  });

  it('treats a token of a site that is missing in the directory as inactive', async () => {
    introspection.response = (reply) => respondJson(reply, activeAt(SITE, { org_id: 'org_unknown' }));
    expect(await verify(newToken())).toEqual({ kind: 'inactive' });
  });

  it('requires the exact origin of the site', async () => {
    for (const aud of [`${SITE.base_url}/`, `${SITE.base_url}.evil.example`, SITE.base_url.toUpperCase()]) {
      introspection.response = (reply) => respondJson(reply, activeAt(SITE, { aud }));
      expect(await verify(newToken())).toEqual({ kind: 'foreign' });
    }
  });

  it('finds the site among several audiences', async () => {
    introspection.response = (reply) => respondJson(reply, activeAt(SITE, { aud: [OTHER.base_url, SITE.base_url] }));
    expect((await verify(newToken())).kind).toBe('active');
  });

  it('treats an expired token as inactive, regardless of the response', async () => {
    introspection.response = (reply) => respondJson(reply, activeAt(SITE, { exp: Math.floor(Date.now() / 1000) }));
    expect(await verify(newToken())).toEqual({ kind: 'inactive' });
  });

  it('does not introspect oversized tokens', async () => {
    expect(await verify('a'.repeat(LIMITS.tokenLength + 1))).toEqual({ kind: 'inactive' });
    expect(introspection.requests).toHaveLength(0);
  });
});

describe('invalid responses', () => {
  /** Closes the breaker between the cases. */
  afterEach(async () => {
    introspection.response = (reply) => respondJson(reply, activeAt(SITE));
    await eventually(async () => (await verify(newToken())).kind === 'active');
  });

  it.each([
    ['401', (reply) => respondJson(reply, { error: 'invalid_client' }, 401)],
    ['403', (reply) => respondJson(reply, {}, 403)],
    ['404', (reply) => respondJson(reply, { active: true }, 404)],
    ['429', (reply) => respondJson(reply, {}, 429)],
    ['500 with an active body', (reply) => respondJson(reply, activeAt(SITE), 500)],
    ['503', (reply) => respondJson(reply, {}, 503)],
    ['a redirect', (reply) => void reply.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['no JSON', (reply) => void reply.end('<html>')],
    ['nothing', (reply) => void reply.end()],
    ['a broken connection', (reply) => void reply.destroy()],
    [
      'half a body',
      (reply) => {
        reply.writeHead(200, { 'content-length': '500' }).write('{"active":');
        reply.destroy();
      },
    ],
    ['far too much', (reply) => void reply.end(`{"active":false,"x":"${'x'.repeat(LIMITS.responseBytes)}"}`)],
    ['true as text', (reply) => respondJson(reply, { ...activeAt(SITE), active: 'true' })],
    ['a number', (reply) => respondJson(reply, 1)],
    ['no person', (reply) => respondJson(reply, activeAt(SITE, { sub: undefined }))],
    ['no audience', (reply) => respondJson(reply, activeAt(SITE, { aud: undefined }))],
    ['no end', (reply) => respondJson(reply, activeAt(SITE, { exp: undefined }))],
    ['an end in words', (reply) => respondJson(reply, activeAt(SITE, { exp: 'never' }))],
    ['no grant', (reply) => respondJson(reply, activeAt(SITE, { grant_id: '' }))],
    ['another kind of token', (reply) => respondJson(reply, activeAt(SITE, { token_type: 'N_A' }))],
    ['an audience of its own', (reply) => respondJson(reply, activeAt(SITE, { audience: 'root' }))],
  ] satisfies [string, IntrospectionServer['response']][])('rejects %s', async (_name, response) => {
    introspection.response = response;
    expect((await verify(newToken())).kind).toBe('none');
  });

  it('rejects a response after the budget', async () => {
    const hasty = await startFixture(nats.environment('member-api'), introspection.url, { introspectionBudget: '800' });
    introspection.response = () => undefined;
    expect((await hasty.app.get(TokenVerifier).verify(newToken(), SITE)).kind).toBe('none');
    await hasty.close();
  });
});

describe('unavailable auth', () => {
  it('opens the breaker soon, pauses, and probes again', async () => {
    await introspection.stop();
    for (let i = 0; i < LIMITS.breakerFaults; i += 1) expect((await verify(newToken())).kind).toBe('none');
    await introspection.start();
    introspection.requests.length = 0;
    expect(await verify(newToken())).toEqual({ kind: 'none', retryAfter: 1 });
    expect(introspection.requests).toHaveLength(0);
    await eventually(async () => (await verify(newToken())).kind === 'active');
  });

  it('recovers without an error when auth restarts on other sockets', async () => {
    await verify(newToken());
    await introspection.stop();
    await introspection.start();
    expect((await verify(newToken())).kind).toBe('active');
  });
});

describe('cached results', () => {
  it('serves equal tokens without another introspection, at each site', async () => {
    const token = newToken();
    expect((await verify(token)).kind).toBe('active');
    expect((await verify(token)).kind).toBe('active');
    expect((await verify(token, OTHER)).kind).toBe('foreign');
    expect(introspection.requests).toHaveLength(1);
  });

  it('shares one introspection among concurrent equal tokens', async () => {
    const token = newToken();
    const results = await Promise.all(Array.from({ length: 20 }, () => verify(token)));
    expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['active']));
    expect(introspection.requests).toHaveLength(1);
  });

  it('stores nothing without a result', async () => {
    const token = newToken();
    introspection.response = (reply) => respondJson(reply, {}, 500);
    expect((await verify(token)).kind).toBe('none');
    introspection.response = (reply) => respondJson(reply, activeAt(SITE));
    expect((await verify(token)).kind).toBe('active');
  });

  it.each([
    ['grant', 'grant'],
    ['person', PERSON_ID],
    ['client', 'client'],
    ['site', SITE.site_id],
  ] as const)('ends with the broadcast of their %s', async (kind, subject) => {
    const token = newToken();
    await verify(token);
    introspection.response = (reply) => respondJson(reply, { active: false });
    await auth.revoke({ kind, subject });
    await settled(service);
    expect(await verify(token)).toEqual({ kind: 'inactive' });
  });

  it('survives the revocation of another grant', async () => {
    const token = newToken();
    await verify(token);
    await auth.revoke({ kind: 'grant', subject: 'other' });
    await settled(service);
    await verify(token);
    expect(introspection.requests).toHaveLength(1);
  });

  it('survives a message that expects a reply, like a stream’s delivery', async () => {
    const token = newToken();
    await verify(token);
    await auth.broadcast('no json', { reply: '_INBOX_auth.reply' });
    await settled(service);
    await verify(token);
    expect(introspection.requests).toHaveLength(1);
  });

  it.each(['no json', '{}', '{"kind":"planet","subject":"x"}'])(
    'drops all after an invalid broadcast: %s',
    async (text) => {
      const token = newToken();
      await verify(token);
      await auth.broadcast(text);
      await settled(service);
      await verify(token);
      expect(introspection.requests).toHaveLength(2);
    },
  );

  it('stores no introspection that started before the revocation', async () => {
    const token = newToken();
    const asked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    introspection.response = async (reply) => {
      asked.resolve();
      await release.promise;
      respondJson(reply, activeAt(SITE));
    };
    const early = verify(token);
    await asked.promise;
    await auth.revoke({ kind: 'grant', subject: 'grant' });
    await settled(service);
    introspection.response = (reply) => respondJson(reply, { active: false });
    // A request after the revocation neither waits for nor shares the earlier introspection.
    expect(await verify(token)).toEqual({ kind: 'inactive' });
    release.resolve();
    await early;
    expect(await verify(token)).toEqual({ kind: 'inactive' });
  });
});

describe('without NATS', () => {
  it('verifies tokens without caching, and caches again after the reconnect', async () => {
    const token = newToken();
    await verify(token);
    await nats.kill();
    await eventually(() => !service.app.get(Revocations).listening);
    introspection.requests.length = 0;
    expect((await verify(token)).kind).toBe('active');
    expect((await verify(token)).kind).toBe('active');
    expect(introspection.requests).toHaveLength(2);

    await nats.restart();
    await eventually(() => service.app.get(Revocations).listening);
    const later = newToken();
    introspection.requests.length = 0;
    await verify(later);
    await verify(later);
    expect(introspection.requests).toHaveLength(1);
    introspection.response = (reply) => respondJson(reply, { active: false });
    await eventually(async () => {
      await auth.revoke({ kind: 'grant', subject: 'grant' });
      return (await verify(later)).kind === 'inactive';
    });
  });
});
