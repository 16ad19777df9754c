import type { Site } from '@lyceum/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallerContext } from '#src/calls/caller.context.js';
import { readListFilters } from '#src/catalog/listing.policy.js';
import type { Message } from '#src/gate/message.policy.js';

/** Headers of the protocol. The token is excluded: it stays in the gate. */
const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'] as const;
const BOTH = 'application/json, text/event-stream';

/**
 * The request for the SDK, without the body, which is passed parsed. `RequestInit.signal` is not used: the request's
 * derived signal would be kept with its listeners until the next full garbage collection.
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

/** Aborted when the client disconnects before the response. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
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
    filters: readListFilters({
      readOnly: request.headers['x-mcp-readonly'],
      toolsets: request.headers['x-mcp-toolsets'],
    }),
  };
}
