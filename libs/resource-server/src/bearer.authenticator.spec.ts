import type { Principal } from '@lyceum/contracts';
import { runInTrace } from '@lyceum/platform';
import type { FastifyRequest } from 'fastify';
import { BearerAuthenticator } from './bearer.authenticator.js';
import type { ResourceServerOptions } from './configuration.js';
import type { Presented } from './token-introspection.js';
import type { TokenVerifier } from './token-verifier.js';

const SITE = '0190a0b0-0000-7000-8000-000000000001';
const ACCESS = { scopes: ['courses:write'], audience: 'operator' } as const;
const principal: Principal = {
  person_id: SITE,
  member_id: SITE,
  grant_id: 'grant',
  client_id: 'client',
  site_id: SITE,
  audience: 'operator',
  scopes: ['courses:write'],
  roles: ['owner'],
  token_fingerprint: '0123456789abcdef',
  expires_at: 2_000_000_000,
};
const presented: Presented = { kind: 'active', principal };

/** A request whose token was valid when its head arrived. */
const requestWith = (body: unknown): FastifyRequest =>
  ({
    principal: null,
    presented,
    body,
    site: { site_id: SITE, base_url: 'https://one.example' },
    raw: { rawHeaders: ['Authorization', 'Bearer token'] },
  }) as unknown as FastifyRequest;

it('checks a token again after the body of its request has arrived', async () => {
  const verifier = { verify: (): Presented => ({ kind: 'inactive' }) } as unknown as TokenVerifier;
  const authenticator = new BearerAuthenticator(verifier, { metadataPath: '/' } as ResourceServerOptions);
  const admit = (body: unknown): Promise<Principal | null> =>
    runInTrace({}, 'a request', async () => {
      const request = requestWith(body);
      await authenticator.admit(request, ACCESS, 'rest');
      return request.principal;
    });
  await expect(admit({ name: 'Knots' })).rejects.toThrow('expired, revoked or unknown');
  expect(await admit(undefined)).toBe(principal);
});
