import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import { splitScope } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiter, sourceOf } from '@lyceum/rate-limit';
import { Documents } from '#src/client-documents/documents.service.js';
import { ClientsService } from '#src/clients/clients.service.js';
import { hasNul } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { LIMITS, authorizer } from '#src/limits/limits.js';
import { authorizationErrorPage } from '#src/pages/error.page.js';
import type { AuthorizationError } from '#src/pages/error.page.js';
import { sendPage } from '#src/pages/page.js';
import { RESPONSE_MODES } from '#src/protocol/capabilities.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import type { SiteRecord } from '#src/sites/site.js';
import { requestedResource } from '#src/tokens/resource.policy.js';
import { tooLong, usedParameters } from './authorization.policy.js';
import { engineRequest } from './engine-request.js';
import { Engines } from './engines.js';

/** `resource` in its canonical spelling. A foreign one stays, and the engine refuses it. */
function normalizeResource(site: SiteRecord, params: URLSearchParams): void {
  if (requestedResource(site.base_url, params.getAll('resource')) === 'site') params.set('resource', site.base_url);
}

/** Refuses another response mode in ours: the engine would return its error in the requested one. */
function refuseMode(params: URLSearchParams): void {
  const foreign = params.getAll('response_mode').some((mode) => !RESPONSE_MODES.some((known) => known === mode));
  if (foreign) params.set('response_mode', 'unsupported');
}

/**
 * Selecting an account requires a sign-in, which accepts any account. A repeated parameter is left for the engine to
 * refuse.
 */
function selectAccountBySignIn(params: URLSearchParams): void {
  const [prompt, ...more] = params.getAll('prompt');
  if (prompt === undefined || more.length > 0) return;
  const prompts = splitScope(prompt).map((one) => (one === 'select_account' ? 'login' : one));
  params.set('prompt', [...new Set(prompts)].join(' '));
}

const NUL = 'Remove the NUL from the parameters';
const invalidRequest = (error_description: string): AuthorizationError => ({
  error: 'invalid_request',
  error_description,
});

/** The endpoints that the engine serves to browsers. */
@Controller()
@UseFilters(OAuthErrorFilter)
export class ProtocolController {
  constructor(
    private readonly engines: Engines,
    private readonly documents: Documents,
    private readonly clients: ClientsService,
    private readonly limits: RateLimiter,
  ) {}

  @Get(ENDPOINTS.authorization)
  async authorize(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const site = siteOf(request);
    const [path, query] = splitOnce(request.url);
    const error = tooLong('query', query);
    if (error !== undefined) return sendPage(reply, authorizationErrorPage(site, invalidRequest(error)));
    const params = usedParameters(new URLSearchParams(query));
    if (hasNul(query)) return sendPage(reply, authorizationErrorPage(site, invalidRequest(NUL)));
    const clientId = params.get('client_id') ?? '';
    const refusal =
      (await this.documents.admit(site, clientId, request.ip)) ?? (await this.#held(site, clientId, request.ip));
    if (refusal !== undefined) return sendPage(reply, authorizationErrorPage(site, refusal));
    normalizeResource(site, params);
    refuseMode(params);
    selectAccountBySignIn(params);
    await this.#forward(request, reply, `${path}?${params.toString()}`);
  }

  @Get(`${ENDPOINTS.authorization}/:uid`)
  resume(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#forward(request, reply, request.url);
  }

  /** Counts existing clients only: an unknown client_id stores nothing. */
  async #held({ site_id }: SiteRecord, clientId: string, ip: string): Promise<AuthorizationError | undefined> {
    const client = await this.clients.atSite(clientId, site_id);
    if (client === undefined) return undefined;
    try {
      await this.limits.take(LIMITS.authorizations, authorizer(client.client_key, ip));
      await this.limits.take(LIMITS.authorizations_by_source, sourceOf(ip));
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error;
      const error_description = 'Too many authorization requests; try again in a moment';
      return { error: 'temporarily_unavailable', error_description, retryAfter: error.retryAfter ?? 1 };
    }
  }

  async #forward(request: FastifyRequest, reply: FastifyReply, url: string): Promise<void> {
    const site = siteOf(request);
    const engine = await this.engines.of(site);
    void reply.hijack();
    await engine.handle(engineRequest(site, request, url), reply.raw);
  }
}

function splitOnce(url: string): [string, string] {
  const at = url.indexOf('?');
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}
