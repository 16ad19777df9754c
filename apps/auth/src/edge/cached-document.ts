import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Seconds. Short: a client that caches a document sees a change within minutes. */
const CACHE_SECONDS = 300;

/** Sends a text of the site that caches keep: 304 to a client that has it. It is different for each host. */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: Readonly<Record<string, string>>,
  body: string,
): void {
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
  void reply.headers({ 'cache-control': `public, max-age=${CACHE_SECONDS}`, vary: 'Host', etag, ...headers });
  if (request.headers['if-none-match'] === etag) void reply.code(304).send();
  else void reply.send(body);
}
