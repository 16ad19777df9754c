import { ApiError } from '@lyceum/errors';
import { actAs, hasOneHost, setBaseUrl, wantsPage } from '@lyceum/platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SiteRecord } from '#src/sites/site.js';
import { sendPage } from '#src/pages/page.js';
import { SiteLookup } from '#src/sites/site-lookup.js';
import { formAddressPage, notFoundPage } from './not-found.page.js';
import { OAuthError } from './oauth-error.js';
import { sendOAuthError } from './oauth-error.filter.js';
import { readAsVisitor } from './reader.js';
import { edgeRule } from './routes.js';
import type { EdgeRule } from './routes.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The site of the request's host; null only on routes that serve every host. */
    siteRecord: SiteRecord | null;
  }
}

const PREFLIGHT_SECONDS = '86400';

/** The site that a route of one site is serving. */
export function siteOf(request: FastifyRequest): SiteRecord {
  if (request.siteRecord === null) throw new ApiError('unknown_host', 'No site is served under this host');
  return request.siteRecord;
}

function pathOf(request: FastifyRequest): string {
  const end = request.url.indexOf('?');
  return end === -1 ? request.url : request.url.slice(0, end);
}

/**
 * Open CORS without credentials: a script may request what any server could request. Set on the raw response, so that
 * responses which the engine writes without Fastify have it too.
 */
function allowOrigin(request: FastifyRequest, reply: FastifyReply): void {
  if (request.headers.origin === undefined) return;
  reply.raw.setHeader('access-control-allow-origin', '*');
  reply.raw.setHeader('access-control-expose-headers', 'WWW-Authenticate, Retry-After, X-Request-Id');
}

function preflight(request: FastifyRequest, reply: FastifyReply, rule: EdgeRule): void {
  void reply
    .code(204)
    .headers({
      'access-control-allow-methods': rule.methods.join(', '),
      'access-control-allow-headers':
        request.headers['access-control-request-headers'] ?? 'Authorization, Content-Type',
      'access-control-max-age': PREFLIGHT_SECONDS,
      vary: 'Access-Control-Request-Headers',
    })
    .send();
}

async function findSite(lookup: SiteLookup, request: FastifyRequest): Promise<SiteRecord> {
  if (!hasOneHost(request.raw.rawHeaders))
    throw new ApiError('invalid_request', 'The request must have one Host header');
  // X-Forwarded-Host counts only from a trusted proxy (Fastify's trustProxy).
  const site = await lookup.byHost(request.host);
  // RFC 9110 §15.5.20
  if (site === undefined) throw new ApiError('unknown_host', 'No site is served under this host');
  return site;
}

/** A person opens an unknown address. Programs get a problem document. */
function isPageRequest(request: FastifyRequest): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return request.is404 && isRead && request.siteRecord !== null && wantsPage(request.headers.accept);
}

/** Runs before every route: CORS, allowed methods, and the site of the host (421 for an unknown one). */
export function addEdgeHook(app: NestFastifyApplication): void {
  const lookup = app.get(SiteLookup);
  const fastify = app.getHttpAdapter().getInstance();
  fastify.decorateRequest('siteRecord', null);
  fastify.addHook('onRequest', async (request, reply) => {
    const rule = edgeRule(pathOf(request));
    if (rule?.anyHost === true && request.method === 'POST') return;
    if (rule?.cors === true) allowOrigin(request, reply);
    if (rule?.anyHost !== true) {
      request.siteRecord = await findSite(lookup, request);
      setBaseUrl(request, request.siteRecord.base_url);
      readAsVisitor(request, request.siteRecord);
    }
    // Endpoints for programs are open to scripts of all origins.
    const site_id = request.siteRecord?.site_id ?? null;
    actAs({ site_id, member_id: null, client_id: null, via: rule?.cors === true ? 'rest' : 'page' });
    if (isPageRequest(request)) {
      const isForm = fastify.hasRoute({ method: 'POST', url: pathOf(request) });
      const site = siteOf(request);
      return sendPage(reply, isForm ? formAddressPage(site) : notFoundPage(site));
    }
    if (rule === undefined || rule.methods.includes(request.method)) return;
    if (request.method === 'OPTIONS' && rule.cors) return preflight(request, reply, rule);
    const allow = rule.methods.join(', ');
    sendOAuthError(reply, new OAuthError(405, 'invalid_request', `Use ${allow} for this endpoint`, { allow }));
  });
}
