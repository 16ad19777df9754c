import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { ClientsService } from '#src/clients/clients.service.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { addFormEndpoint } from '#src/edge/form-endpoint.js';
import { OAuthError } from '#src/edge/oauth-error.js';
import { TokenLimits } from '#src/limits/token-limits.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import type { SiteRecord } from '#src/sites/site.js';
import { ClientAuthentication, readClientForm } from './client-authentication.js';
import type { ClientForm } from './client-authentication.js';
import { CodeExchange } from './code-exchange.service.js';
import { Refresh } from './refresh.service.js';
import { namesResource, readTokenRequest } from './token-request.js';
import type { TokenRequest } from './token-request.js';

interface Parts {
  readonly authentication: ClientAuthentication;
  readonly clients: ClientsService;
  readonly exchange: CodeExchange;
  readonly limits: TokenLimits;
  readonly refresh: Refresh;
}

/** Only an authenticated client gets the error of a malformed request. */
async function readForClient(
  { authentication, clients }: Parts,
  site: SiteRecord,
  { form, who }: ClientForm,
): Promise<TokenRequest> {
  const withResource = namesResource(site, form);
  try {
    return readTokenRequest(form, withResource);
  } catch (error) {
    if (error instanceof OAuthError) await authentication.of(who, () => clients.atSite(who.client_id, site.site_id));
    throw error;
  }
}

async function respond(parts: Parts, request: FastifyRequest): Promise<object> {
  const { authentication, exchange, limits, refresh } = parts;
  const site = siteOf(request);
  const sent = await readClientForm(request);
  const { who } = sent;
  await limits.ofClient('token_requests', site.site_id, who);
  const tokenRequest = await readForClient(parts, site, sent);
  if (tokenRequest.grant_type === 'refresh_token') {
    const client = await authentication.of(who, () => refresh.find(site, who.client_id, tokenRequest));
    await limits.ofGrant('token_requests_of_grant', client.credential?.grant_id);
    return refresh.give(site, tokenRequest, client);
  }
  const client = await authentication.of(who, () => exchange.find(site, who.client_id, tokenRequest));
  await limits.ofGrant('token_requests_of_grant', client.credential?.grant_id);
  return exchange.give(site, tokenRequest, client);
}

/** `POST /api/oauth/token`: one statement reads everything for the decision, one executes it. */
export function addTokenRoute(app: NestFastifyApplication): void {
  const parts: Parts = {
    authentication: app.get(ClientAuthentication),
    clients: app.get(ClientsService),
    exchange: app.get(CodeExchange),
    limits: app.get(TokenLimits),
    refresh: app.get(Refresh),
  };
  addFormEndpoint(app, ENDPOINTS.token, (request) => respond(parts, request));
}
