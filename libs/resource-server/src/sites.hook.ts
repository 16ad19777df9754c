import type { Site } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { actAsPrincipal } from '@lyceum/messaging';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { hasOneHost, setBaseUrl } from '@lyceum/platform';
import type { FastifyRequest } from 'fastify';
import { takeInternalRequest } from './internal-request.js';
import { SiteDirectory } from './site-directory.js';

function resolveSite(request: FastifyRequest, directory: SiteDirectory): Site {
  if (!hasOneHost(request.raw.rawHeaders)) throw new ApiError('invalid_request', 'There is more than one Host header');
  // With `trustProxy`, Fastify takes X-Forwarded-Host only from a trusted peer, and the last entry of several; else the
  // Host header.
  const site = directory.byHost(request.host);
  if (site !== undefined) return site;
  if (!directory.loaded) {
    throw new ApiError('temporarily_unavailable', 'The sites are not loaded yet', { retryAfter: 1 });
  }
  throw new ApiError('unknown_host', 'No site is served under this host');
}

/** Resolves the site of every request, including those without a route; an unknown host is 421 (RFC 9110 §15.5.20). */
export function useSites(app: NestFastifyApplication): void {
  const directory = app.get(SiteDirectory);
  const fastify = app.getHttpAdapter().getInstance();
  fastify.decorateRequest('site', null);
  fastify.decorateRequest('principal', null);
  fastify.decorateRequest('presented', null);
  fastify.addHook('onRequest', (request, _reply, done) => {
    try {
      const internal = takeInternalRequest();
      request.site = internal?.site ?? resolveSite(request, directory);
      setBaseUrl(request, request.site.base_url);
      request.principal = internal?.principal ?? null;
      if (internal !== undefined) actAsPrincipal(internal.principal, 'tool');
      done();
    } catch (refusal) {
      done(refusal as Error);
    }
  });
}
