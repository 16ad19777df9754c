import { apiErrorOf } from '@lyceum/platform';
import { BearerAuthenticator } from '@lyceum/resource-server';
import type { INestApplication } from '@nestjs/common';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RateLimits } from './limits/rate-limits.js';
import { ApiResponse } from './responses/response.js';
import { textOf } from './responses/send.js';

/**
 * The HTTP edge around Nest's handlers, after `useSites(app)`: limits before a request, and `ApiResponse`s after it. As
 * hooks they also see what no route takes, and cost less than Nest's interceptors, which run on observables.
 */
export function useRest(app: INestApplication): void {
  const fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
  const limits = app.get(RateLimits);
  const authenticator = app.get(BearerAuthenticator);
  fastify.addHook('onRequest', (request, reply) => limits.take(request, reply));
  fastify.addHook('preSerialization', (request, reply, payload, done) => {
    done(null, payload instanceof ApiResponse ? textOf(payload, request, reply) : payload);
  });
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode === 403) challenge(request, reply, authenticator);
    announce(request.routeOptions.config, reply);
    done();
  });
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
