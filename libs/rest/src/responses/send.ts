import type { FastifyReply, FastifyRequest } from 'fastify';
import { bodyTag, isFresh } from './etag.policy.js';
import { PERSONAL } from './response.js';
import type { ApiResponse } from './response.js';
import { ShownOnce } from './shown-once.js';

/**
 * The text of an `ApiResponse`, after its status and headers: for a GET with the entity tag, or 304 when the caller has
 * it already. Null: no body.
 */
export function textOf(response: ApiResponse, request: FastifyRequest, reply: FastifyReply): string | null {
  void reply
    .code(response.status)
    .headers({ ...PERSONAL, ...response.headers })
    .serializer(asItIs);
  if (response.status === 204) return withoutBody(reply);
  if (request.method !== 'GET' && request.method !== 'HEAD') return JSON.stringify(ShownOnce.reveal(response.body));
  const body = JSON.stringify(response.body);
  const etag = response.headers['etag'] ?? bodyTag(body);
  void reply.header('etag', etag);
  if (isFresh(etag, request.headers['if-none-match'])) return withoutBody(reply.code(304));
  return body;
}

function asItIs(text: string): string {
  return text;
}

function withoutBody(reply: FastifyReply): null {
  void reply.removeHeader('content-type');
  return null;
}
