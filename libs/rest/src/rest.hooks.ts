import { apiErrorOf, hookOf } from '@lyceum/platform';
import { BearerAuthenticator } from '@lyceum/resource-server';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { RateLimits } from './limits/rate-limits.js';
import { ApiResponse } from './responses/response.js';
import { textOf } from './responses/send.js';
import { serveRoutes } from './routes/serve-routes.js';

/**
 * Adds the REST edge to a service, after `useResourceServer(app)`: its routes, rate limits and `ApiResponse`s. Hooks
 * also run for requests without a route.
 */
export function useRest(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  const limits = app.get(RateLimits);
  const authenticator = app.get(BearerAuthenticator);
  fastify.addHook(
    'onRequest',
    hookOf((request, reply) => limits.take(request, reply)),
  );
  fastify.addHook('preSerialization', (request, reply, payload, done) => {
    done(null, payload instanceof ApiResponse ? textOf(payload, request, reply) : payload);
  });
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode === 403) challenge(request, reply, authenticator);
    announce(request.routeOptions.config, reply);
    done();
  });
  serveRoutes(app);
}

/** Adds the headers of a deprecated operation to every response, errors included. */
function announce({ deprecated }: FastifyContextConfig, reply: FastifyReply): void {
  if (deprecated === undefined) return;
  const links = [reply.getHeader('link'), deprecated.link].filter((link) => link !== undefined);
  void reply.headers({ ...deprecated, ...(links.length === 0 ? {} : { link: links.join(', ') }) });
}

/** An operation that needs a further scope does not know the site that the challenge names. */
function challenge(request: FastifyRequest, reply: FastifyReply, authenticator: BearerAuthenticator): void {
  const apiError = apiErrorOf(request);
  if (apiError?.code !== 'insufficient_scope' || reply.hasHeader('www-authenticate') || request.site === null) return;
  void reply.headers(authenticator.insufficientScope(request.site, apiError.scopes).headers);
}
