import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, single } from '#src/edge/body.js';
import { sendOAuthError } from '#src/edge/oauth-error.filter.js';
import { OAuthError } from '#src/edge/oauth-error.js';
import { LIMITS, LimitsService, secretGuesser } from '#src/limits/limits.service.js';
import { ENDPOINTS } from '#src/metadata/endpoints.js';
import { SiteLookup } from '#src/sites/site-lookup.js';
import { IntrospectionService } from './introspection.service.js';
import type { Introspection, Introspector } from './introspection.service.js';

const unauthenticated = (): OAuthError => new OAuthError(401, 'invalid_client', 'Client authentication failed');

interface Parts {
  readonly service: IntrospectionService;
  readonly sites: SiteLookup;
  readonly limits: LimitsService;
}

async function refused({ limits }: Parts, request: FastifyRequest, who: Introspector): Promise<OAuthError> {
  if (who.client_secret !== undefined)
    await limits.fail(LIMITS.wrong_secrets, secretGuesser(who.client_id, request.ip));
  return unauthenticated();
}

async function introspect(parts: Parts, request: FastifyRequest): Promise<Introspection> {
  const { service, sites, limits } = parts;
  const form = await readForm(request);
  const who: Introspector = {
    client_id: single(form, 'client_id') ?? '',
    client_secret: single(form, 'client_secret'),
  };
  const token = single(form, 'token');
  limits.refuseHeld(LIMITS.wrong_secrets, secretGuesser(who.client_id, request.ip));
  const trusted = service.isResourceServer(who);
  if (trusted === false || who.client_id === '') throw await refused(parts, request, who);
  if (token === undefined) throw new OAuthError(400, 'invalid_request', 'token is required');
  if (trusted === true) return service.forResourceServer(token);
  const site = await sites.byHost(request.host);
  const result = site && (await service.forClient(who, site.site_id, token));
  if (result === undefined) throw await refused(parts, request, who);
  return result;
}

/**
 * `POST /api/oauth/introspect`, the hottest route of the platform: every call at a resource server may come to one here.
 * So it is mounted on Fastify itself, with nothing of Nest's pipeline or the engine in between, and costs one statement.
 */
export function addIntrospectionRoute(app: NestFastifyApplication): void {
  const parts = { service: app.get(IntrospectionService), sites: app.get(SiteLookup), limits: app.get(LimitsService) };
  app
    .getHttpAdapter()
    .getInstance()
    .post(ENDPOINTS.introspection, async (request: FastifyRequest, reply: FastifyReply) => {
      try {
        const result = await introspect(parts, request);
        return await reply
          .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
          .send(JSON.stringify(result));
      } catch (error) {
        sendOAuthError(reply, error);
        return reply;
      }
    });
}
