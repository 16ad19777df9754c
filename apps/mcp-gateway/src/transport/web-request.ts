import type { Site } from '@lyceum/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallerContext } from '#src/calls/caller.context.js';
import { readWishes } from '#src/catalogue/listing.policy.js';
import type { Message } from '#src/gate/message.policy.js';

/** Headers that the protocol reads. The token is not among them: it goes no further than the gate. */
const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'] as const;
const BOTH = 'application/json, text/event-stream';

/**
 * The request as the SDK wants it, without the body, which travels parsed. A signal in `RequestInit` would be followed by one of
 * the request's own, which a finalizer keeps, with all that listens to it, until the next full garbage collection.
 */
export function toWebRequest(request: FastifyRequest, site: Site, signal: AbortSignal): Request {
  const { accept } = request.headers;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: accept === undefined || accept.includes('*/*') ? BOTH : accept,
  };
  for (const name of PROTOCOL_HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  const webRequest = new Request(`${site.base_url}/mcp`, { method: 'POST', headers });
  return Object.defineProperty(webRequest, 'signal', { value: signal });
}

/** Aborted when the client goes away before it has its answer. */
export function departure(reply: FastifyReply): AbortSignal {
  const abort = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) abort.abort();
  });
  return abort.signal;
}

export function contextOf(request: FastifyRequest, site: Site, { method }: Message): CallerContext {
  return {
    method,
    site,
    principal: request.principal,
    wishes: readWishes({
      readOnly: request.headers['x-mcp-readonly'],
      toolsets: request.headers['x-mcp-toolsets'],
    }),
  };
}
