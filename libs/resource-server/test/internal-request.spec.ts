import type { Principal, Site } from '@lyceum/contracts';
import type { RunningService } from '@lyceum/platform';
import { eventually, IntrospectionServer, PERSON_ID, send, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { asInternalRequest } from '../src/index.js';
import { FakeAuth, siteFixture, startFixture } from './fixture.service.js';

const SITE = siteFixture(1, 'one.example');

let nats: TestNats;
let auth: FakeAuth;
let introspection: IntrospectionServer;
let service: RunningService;

const member = (scopes: string[], change: Partial<Principal> = {}): Principal => ({
  person_id: PERSON_ID,
  member_id: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
  site_id: SITE.site_id,
  client_id: 'an-app',
  audience: 'member',
  scopes,
  roles: ['student'],
  grant_id: 'grant',
  token_fingerprint: '0123456789abcdef',
  expires_at: 2_000_000_000,
  ...change,
});

const inject = async (options: InjectOptions): Promise<LightMyRequestResponse> =>
  service.app.get(HttpAdapterHost).httpAdapter.getInstance<FastifyInstance>().inject(options);

const account = (principal: Principal, method: 'GET' | 'POST' = 'GET', site: Site = SITE) =>
  asInternalRequest({ principal, site }, () => inject({ method, url: '/account' }));

beforeAll(async () => {
  nats = await testNats();
  introspection = await new IntrospectionServer().start();
  auth = await FakeAuth.start(nats.environment('auth'));
  await auth.putSite(SITE);
  service = await startFixture(nats.environment('member-api'), introspection.url);
  await eventually(async () => (await inject({ url: '/open', headers: { host: SITE.host } })).statusCode === 200);
});

afterAll(async () => {
  await service?.close();
  await auth?.close();
  await introspection?.stop();
  await nats?.stop();
});

describe('asInternalRequest', () => {
  it('runs as the caller at their site, without a token and for any host', async () => {
    const response = await account(member(['account:read']));
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { person_id: PERSON_ID, fingerprint: '0123456789abcdef', site: 'Site 1' },
    ]);
    expect(introspection.requests).toEqual([]);
  });

  it('passes the guard, which requires scopes and audience', async () => {
    expect((await account(member(['account:write']))).statusCode).toBe(403);
    expect((await account(member(['account:read']), 'POST')).statusCode).toBe(403);
    expect((await account(member(['account:read'], { audience: 'operator' }))).statusCode).toBe(403);
  });

  it('applies to one request only', async () => {
    const internal = { principal: member(['account:read']), site: SITE };
    const statuses = await asInternalRequest(internal, async () => {
      const request = { url: '/account', headers: { host: SITE.host } };
      return [(await inject(request)).statusCode, (await inject(request)).statusCode];
    });
    expect(statuses).toEqual([200, 401]);
  });

  it('does not apply to a concurrent request from the network', async () => {
    const internal = { principal: member(['account:read']), site: SITE };
    const outside = await asInternalRequest(internal, () => send(service.url, 'GET', '/account', { host: SITE.host }));
    expect(outside.status).toBe(401);
  });
});
