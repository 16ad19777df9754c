import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { RateLimiter } from '@lyceum/rate-limit';
import { readForm, single } from '#src/edge/body.js';
import { addFormEndpoint } from '#src/edge/form-endpoint.js';
import { OAuthError } from '#src/edge/oauth-error.js';
import { LIMITS, secretGuesser } from '#src/limits/limits.js';
import { TokenLimits } from '#src/limits/token-limits.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { SiteLookup } from '#src/sites/site-lookup.js';
import { headerRefused, unauthenticated } from './client-authentication.js';
import { IntrospectionService } from './introspection.service.js';
import type { Introspection, Introspector } from './introspection.service.js';

interface Parts {
  readonly service: IntrospectionService;
  readonly sites: SiteLookup;
  readonly limits: RateLimiter;
  readonly tokenLimits: TokenLimits;
}

const BASIC = /^basic /i;

async function refused({ limits }: Parts, request: FastifyRequest, who: Introspector): Promise<OAuthError> {
  if (who.client_secret !== undefined)
    await limits.secondsToWait(LIMITS.wrong_secrets, secretGuesser(who.client_id, request.ip));
  return unauthenticated(who);
}

async function introspect(parts: Parts, request: FastifyRequest): Promise<Introspection> {
  const { service, sites, limits, tokenLimits } = parts;
  if (BASIC.test(request.headers.authorization ?? '')) {
    throw headerRefused((await sites.byHost(request.host))?.base_url ?? 'lyceum');
  }
  const form = await readForm(request);
  const who: Introspector = {
    client_id: single(form, 'client_id') ?? '',
    client_secret: single(form, 'client_secret'),
  };
  const token = single(form, 'token');
  limits.refuseExhausted(LIMITS.wrong_secrets, secretGuesser(who.client_id, request.ip));
  const trusted = service.isResourceServer(who);
  if (trusted === false || who.client_id === '') throw await refused(parts, request, who);
  if (token === undefined) throw new OAuthError(400, 'invalid_request', 'token is required');
  if (trusted === true) return service.forResourceServer(who, token);
  const site = await sites.byHost(request.host);
  if (site === undefined) throw await refused(parts, request, who);
  await tokenLimits.ofClient('introspections', site.site_id, { client_id: who.client_id, ip: request.ip });
  const result = await service.forClient(who, site.site_id, token);
  if (result === undefined) throw await refused(parts, request, who);
  return result;
}

/**
 * `POST /api/oauth/introspect`, the busiest route of the platform: every call of a resource server may cause one. It
 * costs one statement, and under load concurrent requests share one.
 */
export function addIntrospectionRoute(app: NestFastifyApplication): void {
  const parts: Parts = {
    service: app.get(IntrospectionService),
    sites: app.get(SiteLookup),
    limits: app.get(RateLimiter),
    tokenLimits: app.get(TokenLimits),
  };
  addFormEndpoint(app, ENDPOINTS.introspection, (request) => introspect(parts, request));
}
