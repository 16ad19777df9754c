import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Documents } from '#src/cimd/documents.service.js';
import { hasNul, readForm } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { OAuthError } from '#src/edge/oauth-error.js';
import { LIMITS, LimitsService, secretGuesser } from '#src/limits/limits.service.js';
import { ENDPOINTS } from '#src/metadata/endpoints.js';
import { authorizationErrorPage } from '#src/pages/error.page.js';
import type { Page } from '#src/pages/page.js';
import type { SiteRecord } from '#src/sites/site.js';
import { requestedResource } from '#src/tokens/resource.policy.js';
import { engineRequest } from './engine-request.js';
import { Engines } from './engines.js';

/** One `resource` in its canonical spelling, whatever the client's was. A foreign one stays, and the engine refuses it. */
function normaliseResource(site: SiteRecord, params: URLSearchParams): void {
  if (requestedResource(site.base_url, params.getAll('resource')) === 'site') params.set('resource', site.base_url);
}

/** The engine would take a secret from the header too, which the metadata does not offer (RFC 6749 §5.2 for the answer). */
function clientForm(request: FastifyRequest): Promise<URLSearchParams> {
  if (request.headers.authorization === undefined) return readForm(request);
  const headers = { 'www-authenticate': `Basic realm="${siteOf(request).base_url}"` };
  throw new OAuthError(401, 'invalid_client', 'Send client_id and client_secret in the form, not in a header', headers);
}

const NUL = { error: 'invalid_request', error_description: 'There is a NUL among the parameters' } as const;

/** The endpoints that the engine answers. */
@Controller()
@UseFilters(OAuthErrorFilter)
export class ProtocolController {
  constructor(
    private readonly engines: Engines,
    private readonly documents: Documents,
    private readonly limits: LimitsService,
  ) {}

  @Get(ENDPOINTS.authorization)
  async authorize(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const site = siteOf(request);
    const [path, query] = splitOnce(request.url);
    const params = new URLSearchParams(query);
    if (hasNul(params)) return sendPage(reply, authorizationErrorPage(site, NUL));
    const refusal = await this.documents.admit(site, params.get('client_id') ?? '', request.ip);
    if (refusal !== undefined) return sendPage(reply, authorizationErrorPage(site, refusal));
    normaliseResource(site, params);
    await this.#forward(request, reply, `${path}?${params.toString()}`);
  }

  @Get(`${ENDPOINTS.authorization}/:uid`)
  resume(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#forward(request, reply, request.url);
  }

  @Post(ENDPOINTS.token)
  async token(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const site = siteOf(request);
    const form = await clientForm(request);
    // Before the engine uses up the code: a wrong resource must not cost the client its authorization.
    if (requestedResource(site.base_url, form.getAll('resource')) === 'foreign') {
      throw new OAuthError(400, 'invalid_target', `The resource has to be ${site.base_url}`);
    }
    normaliseResource(site, form);
    await this.#authenticate(request, reply, ENDPOINTS.token, form);
  }

  @Post(ENDPOINTS.revocation)
  async revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.#authenticate(request, reply, ENDPOINTS.revocation, await clientForm(request));
  }

  /** Whoever guesses at a secret is held for a while (RFC 6749 §2.3.1). */
  async #authenticate(request: FastifyRequest, reply: FastifyReply, url: string, form: URLSearchParams): Promise<void> {
    const who = form.has('client_secret') ? secretGuesser(form.get('client_id') ?? '', request.ip) : undefined;
    if (who !== undefined) this.limits.refuseHeld(LIMITS.wrong_secrets, who);
    await this.#forward(request, reply, url, form);
    if (who !== undefined && reply.raw.statusCode === 401) await this.limits.fail(LIMITS.wrong_secrets, who);
  }

  async #forward(request: FastifyRequest, reply: FastifyReply, url: string, form?: URLSearchParams): Promise<void> {
    const site = siteOf(request);
    const engine = await this.engines.of(site);
    const body = form?.toString();
    const message = engineRequest(site, request, body === undefined ? { url } : { url, body });
    void reply.hijack();
    await engine.handle(message, reply.raw);
  }
}

function sendPage(reply: FastifyReply, { status, headers, body }: Page): void {
  void reply.code(status).headers(headers).send(body);
}

function splitOnce(url: string): [string, string] {
  const at = url.indexOf('?');
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}
