import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { splitScope } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { requestedTags, supportedLanguages } from '@lyceum/messages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiter, sourceOf } from '@lyceum/rate-limit';
import { ClientDocuments } from '#src/client-documents/documents.service.js';
import type { OAuthClient } from '#src/clients/client.js';
import { hasNul, readForm } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { LIMITS, authorizer } from '#src/limits/limits.js';
import { authorizationErrorPage } from '#src/pages/error.page.js';
import type { AuthorizationError } from '#src/pages/error.page.js';
import { go, sendPage } from '#src/pages/page.js';
import { RESPONSE_MODES } from '#src/protocol/capabilities.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import type { SiteRecord } from '#src/sites/site.js';
import { requestedResource } from '#src/tokens/resource.policy.js';
import { selectsAccount, tooLong, usedParameters, withoutSelectAccount } from '../engine/authorization.policy.js';
import { BrowserSessions } from './browser-sessions.js';
import { engineRequest } from '../engine/engine-request.js';
import { Engines } from '../engine/engines.js';
import { knowRows } from '../engine/known-rows.js';
import type { KnownRows } from '../engine/known-rows.js';
import { RequestRows } from '../engine/request-rows.js';

/** `resource` in its canonical spelling. A foreign one stays, and the engine refuses it. */
function normalizeResource(site: SiteRecord, params: URLSearchParams): void {
  if (requestedResource(site, params.getAll('resource')) === 'site') params.set('resource', site.base_url);
}

/** Keeps the languages that the pages have, so that a request stores no others. */
function normalizeLanguages(params: URLSearchParams): void {
  const languages = supportedLanguages(requestedTags(params.get('ui_locales')));
  params.delete('ui_locales');
  if (languages.length > 0) params.set('ui_locales', languages.join(' '));
}

/**
 * Refuses another response mode in ours: the engine would return its error in the requested one. An empty one counts as
 * omitted (RFC 6749 §3.1).
 */
function refuseMode(params: URLSearchParams): void {
  const given = params.getAll('response_mode').filter((mode) => mode !== '');
  const foreign = given.some((mode) => !RESPONSE_MODES.some((known) => known === mode));
  if (foreign) params.set('response_mode', 'unsupported');
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
    private readonly documents: ClientDocuments,
    private readonly rows: RequestRows,
    private readonly limits: RateLimiter,
    private readonly sessions: BrowserSessions,
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
    const notAdmitted = await this.documents.admit(site, clientId, request.ip);
    const rows = notAdmitted === undefined ? await this.rows.ofAuthorization(request, site, clientId) : {};
    const { client } = rows;
    const refusal = notAdmitted ?? (client && (await this.#held(client, request.ip)));
    if (refusal !== undefined) return sendPage(reply, authorizationErrorPage(site, refusal));
    normalizeResource(site, params);
    normalizeLanguages(params);
    refuseMode(params);
    if (client !== undefined && (await this.#offersAccounts(request, reply, params))) {
      return go(reply, `${ENDPOINTS.accounts}?${params.toString()}`);
    }
    await this.#forward(request, reply, `${path}?${withoutSelectAccount(params, 'login').toString()}`, rows);
  }

  /**
   * Redirects to a GET, which is the request that counts (OpenID Connect Core 1.0 §3.1.2.1): browsers send the
   * session's SameSite=Lax cookie with that, and not with another site's form.
   */
  @Post(ENDPOINTS.authorization)
  async authorizeByForm(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const query = (await readForm(request)).toString();
    const error = tooLong('query', query);
    if (error !== undefined) return sendPage(reply, authorizationErrorPage(siteOf(request), invalidRequest(error)));
    go(reply, `${ENDPOINTS.authorization}?${query}`);
  }

  @Get(`${ENDPOINTS.authorization}/:uid`)
  async resume(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const rows = await this.rows.ofContinuation(request, siteOf(request));
    await this.#forward(request, reply, request.url, rows);
  }

  /** Without an account in this browser, a sign-in is the choice. `none` shows no page, and the engine refuses it. */
  async #offersAccounts(request: FastifyRequest, reply: FastifyReply, params: URLSearchParams): Promise<boolean> {
    if (!selectsAccount(params) || splitScope(params.get('prompt') ?? '').includes('none')) return false;
    return (await this.sessions.all(request, reply, siteOf(request))).length > 0;
  }

  /** Counts existing clients only: an unknown client_id stores nothing. */
  async #held({ client_key }: OAuthClient, ip: string): Promise<AuthorizationError | undefined> {
    try {
      await this.limits.take(LIMITS.authorizations, authorizer(client_key, ip));
      await this.limits.take(LIMITS.authorizations_by_source, sourceOf(ip));
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error;
      const error_description = 'Too many authorization requests; try again in a moment';
      return { error: 'temporarily_unavailable', error_description, retryAfter: error.retryAfter ?? 1 };
    }
  }

  async #forward(request: FastifyRequest, reply: FastifyReply, url: string, rows: KnownRows): Promise<void> {
    const site = siteOf(request);
    const engine = await this.engines.of(site);
    void reply.hijack();
    const message = engineRequest(site, request, url);
    knowRows(message, rows);
    await engine.handle(message, reply.raw);
  }
}

function splitOnce(url: string): [string, string] {
  const at = url.indexOf('?');
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}
