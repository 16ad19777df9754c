import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendOAuthError } from './oauth-error.filter.js';

/**
 * An endpoint that reads a form and responds with JSON that is never cached. It is mounted on Fastify itself: these are
 * the busiest routes of the platform, and Nest's pipeline would only cost time.
 */
export function addFormEndpoint(
  app: NestFastifyApplication,
  path: string,
  respond: (request: FastifyRequest) => Promise<object>,
): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.post(path, (request: FastifyRequest, reply: FastifyReply) => {
    respond(request).then(
      (body) => sendBody(reply, body),
      (error: unknown) => sendOAuthError(reply, error),
    );
  });
}

/** RFC 6749 §5.1 requires both headers for tokens. */
function sendBody(reply: FastifyReply, body: object): void {
  void reply
    .headers({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    })
    .send(JSON.stringify(body));
}
