import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendOAuthError } from './oauth-error.filter.js';

/**
 * An endpoint that takes a form and answers with JSON that nobody keeps; with nothing when there is nothing to say. It is
 * mounted on Fastify itself: these are the busiest routes of the platform, and Nest's pipeline would do nothing for them.
 */
export function addFormEndpoint(
  app: NestFastifyApplication,
  path: string,
  answer: (request: FastifyRequest) => Promise<object | undefined>,
): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.post(path, (request: FastifyRequest, reply: FastifyReply) => {
    answer(request).then(
      (body) => sendBody(reply, body),
      (error: unknown) => sendOAuthError(reply, error),
    );
  });
}

function sendBody(reply: FastifyReply, body: object | undefined): void {
  void reply.header('cache-control', 'no-store');
  if (body !== undefined) void reply.header('content-type', 'application/json; charset=utf-8');
  void reply.send(body === undefined ? '' : JSON.stringify(body));
}
