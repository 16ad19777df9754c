import type { FastifyReply, FastifyRequest } from 'fastify';
import { bodyTag, isFresh } from './etag.policy.js';
import { PERSONAL } from './response.js';
import type { ApiResponse } from './response.js';

/**
 * The text of an `ApiResponse`, after its status and headers: for a GET with the entity tag, or 304 when the caller has it
 * already. Null: no body.
 */
export function textOf(answer: ApiResponse, request: FastifyRequest, reply: FastifyReply): string | null {
  void reply
    .code(answer.status)
    .headers({ ...PERSONAL, ...answer.headers })
    .serializer(asItIs);
  if (answer.status === 204) return withoutBody(reply);
  const body = JSON.stringify(answer.body);
  if (request.method === 'GET' || request.method === 'HEAD') {
    const etag = answer.headers['etag'] ?? bodyTag(body);
    void reply.header('etag', etag);
    if (isFresh(etag, request.headers['if-none-match'])) return withoutBody(reply.code(304));
  }
  return body;
}

function asItIs(text: string): string {
  return text;
}

function withoutBody(reply: FastifyReply): null {
  void reply.removeHeader('content-type');
  return null;
}
