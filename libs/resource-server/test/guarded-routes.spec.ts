import { Controller, Get } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { MetricsRegistry, currentActor } from '@lyceum/platform';
import type { RunningService } from '@lyceum/platform';
import { activeAt, eventually, IntrospectionServer, respondJson, send, testNats } from '@lyceum/testing';
import type { ReceivedResponse, TestNats } from '@lyceum/testing';
import { BearerAuthenticator, siteOf, useResourceServer } from '../src/index.js';
import { FakeAuth, siteFixture, startFixture } from './fixture.service.js';

const SITE = siteFixture(1, 'one.example');
const ACCESS = { scopes: ['account:read', 'account:write'], audience: 'member' } as const;
const SCOPE = ACCESS.scopes.join(' ');

let nats: TestNats;
let auth: FakeAuth;
let introspection: IntrospectionServer;

beforeAll(async () => {
  nats = await testNats();
  introspection = await new IntrospectionServer().start();
  auth = await FakeAuth.start(nats.environment('auth'));
  await auth.putSite(SITE);
});

afterAll(async () => {
  await auth?.close();
  await introspection?.stop();
  await nats?.stop();
});

type Register = (fastify: FastifyInstance) => void;

/** A service with an open endpoint of Nest, and routes at Fastify before and after `useResourceServer`. */
function start(
  { before, after }: { before?: Register; after?: Register },
  controllers: Type[] = [],
): Promise<RunningService> {
  return startFixture(nats.environment('member-api'), introspection.url, {
    controllers,
    configure: (app) => {
      const fastify = app.getHttpAdapter().getInstance();
      before?.(fastify);
      useResourceServer(app);
      after?.(fastify);
    },
  });
}

let serial = 0;

function ask(service: RunningService, method: string, path: string, token?: object): Promise<ReceivedResponse<object>> {
  if (token === undefined) return send(service.url, method, path, { host: SITE.host });
  introspection.response = (reply) => respondJson(reply, token);
  const authorization = `Bearer guarded-${(serial += 1)}`;
  return send(service.url, method, path, { host: SITE.host, authorization });
}

const respond = (): Promise<object> => Promise.resolve({ served: true });

describe('a route of Fastify', () => {
  let service: RunningService;

  beforeAll(async () => {
    service = await start({
      after: (fastify) => {
        fastify.get('/guarded', { config: { access: ACCESS } }, respond);
        fastify.get('/either', { config: { access: { ...ACCESS, anyScope: true } } }, respond);
        fastify.get('/both', { config: { access: ACCESS, open: true } }, respond);
      },
    });
    await eventually(async () => (await ask(service, 'GET', '/open')).status === 200);
  });
  afterAll(() => service?.close());

  it('serves a token with the scopes and the audience', async () => {
    const { status, body } = await ask(service, 'GET', '/guarded', activeAt(SITE, { scope: SCOPE }));
    expect([status, body]).toEqual([200, { served: true }]);
  });

  it.each(['GET', 'HEAD'])('refuses %s without a token with 401 and the scopes', async (method) => {
    const { status, headers } = await ask(service, method, '/guarded');
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain(`scope="${SCOPE}"`);
  });

  it.each([
    ['one of the scopes alone', { scope: 'account:read' }],
    ['another audience', { scope: SCOPE, audience: 'operator' }],
  ])('refuses a token with %s with 403', async (_name, change) => {
    expect((await ask(service, 'GET', '/guarded', activeAt(SITE, change))).status).toBe(403);
  });

  it.each([
    ['one of the scopes', { scope: 'account:write' }, 200],
    ['another scope', { scope: 'openid' }, 403],
    ['one of the scopes for another audience', { scope: 'account:write', audience: 'operator' }, 403],
  ])('responds to a token with %s, where one is enough, with the status', async (_name, change, status) => {
    const response = await ask(service, 'GET', '/either', activeAt(SITE, change));
    expect(response.status).toBe(status);
  });

  it('names all scopes of which one is enough', async () => {
    const { status, headers, text } = await ask(service, 'GET', '/either', activeAt(SITE, { scope: 'openid' }));
    expect([status, headers['www-authenticate']]).toEqual([403, expect.stringContaining(`scope="${SCOPE}"`)]);
    expect(text).toContain('Request one of account:read, account:write');
  });

  it('refuses a request without a token where both access and open are declared', async () => {
    expect((await ask(service, 'GET', '/both')).status).toBe(401);
  });

  it('leaves open endpoints and unknown paths without a guard', async () => {
    expect((await ask(service, 'GET', '/open')).status).toBe(200);
    expect((await ask(service, 'GET', '/nowhere')).status).toBe(404);
  });
});

describe('a route whose gate has authenticated the caller', () => {
  let service: RunningService;

  beforeAll(async () => {
    service = await start({
      after: (fastify) => {
        fastify.route({
          method: 'GET',
          url: '/gated',
          config: { access: ACCESS, via: 'graphql' },
          onRequest: async (request) => {
            const { rawHeaders } = request.raw;
            request.principal = await service.app.get(BearerAuthenticator).authenticate(rawHeaders, siteOf(request));
          },
          handler: () => Promise.resolve({ via: currentActor()?.via }),
        });
      },
    });
    await eventually(async () => (await ask(service, 'GET', '/open')).status === 200);
  });
  afterAll(() => service?.close());

  it('refuses a caller without the scopes with 403', async () => {
    expect((await ask(service, 'GET', '/gated', activeAt(SITE, { scope: 'openid' }))).status).toBe(403);
  });

  it('serves a caller with the scopes, names the actor, and does not look the token up again', async () => {
    const lookUps = async (): Promise<number> => {
      const counted = await service.app.get(MetricsRegistry).registry.getSingleMetric('token_verdicts_total')?.get();
      return (counted?.values ?? []).reduce((sum, { value }) => sum + value, 0);
    };
    const before = await lookUps();
    const { status, body } = await ask(service, 'GET', '/gated', activeAt(SITE, { scope: SCOPE }));
    expect([status, body]).toEqual([200, { via: 'graphql' }]);
    expect(await lookUps()).toBe(before + 1);
  });
});

@Controller()
class BareController {
  @Get('bare')
  bare(): string {
    return 'open by omission';
  }
}

describe('a route without a declaration', () => {
  it.each([
    ['of Fastify', { after: (fastify) => fastify.get('/bare', respond) }, []],
    ['of Nest', {}, [BareController]],
  ] satisfies [string, Parameters<typeof start>[0], Type[]][])(
    'prevents the start as a route %s, and is named',
    async (_name, routes, controllers) => {
      await expect(start(routes, controllers)).rejects.toThrow('The route GET /bare declares neither access nor Open');
    },
  );

  it('stays closed when it was registered before useResourceServer', async () => {
    const service = await start({ before: (fastify) => fastify.get('/early', respond) });
    try {
      await eventually(async () => (await ask(service, 'GET', '/open')).status === 200);
      expect((await ask(service, 'GET', '/early', activeAt(SITE, { scope: SCOPE }))).status).toBe(500);
    } finally {
      await service.close();
    }
  });
});

it('prevents the start without useResourceServer', async () => {
  const unguarded = startFixture(nats.environment('member-api'), introspection.url, { configure: () => undefined });
  await expect(unguarded).rejects.toThrow('call useResourceServer(app)');
});
