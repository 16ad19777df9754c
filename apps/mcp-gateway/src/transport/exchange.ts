import type { Principal, Site } from '@lyceum/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readWishes } from '#src/catalogue/listing.policy.js';
import type { Wishes } from '#src/catalogue/listing.policy.js';

/** Who asks, where, and how: what the handlers of one message know of its request. */
export interface Exchange {
  readonly site: Site;
  readonly principal: Principal | null;
  readonly wishes: Wishes;
}

/** Headers that the protocol reads. The token is not among them: it goes no further than the gate. */
const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'] as const;
const BOTH = 'application/json, text/event-stream';

/** The request as the SDK wants it, without the body, which travels parsed. */
export function toWebRequest(request: FastifyRequest, site: Site, signal: AbortSignal): Request {
  const headers = new Headers({ 'content-type': 'application/json' });
  const { accept } = request.headers;
  headers.set('accept', accept === undefined || accept.includes('*/*') ? BOTH : accept);
  for (const name of PROTOCOL_HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request(`${site.base_url}/mcp`, { method: 'POST', headers, signal });
}

/** Aborted when the client goes away before it has its answer. */
export function departure(reply: FastifyReply): AbortSignal {
  const abort = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) abort.abort();
  });
  return abort.signal;
}

export function exchangeOf(request: FastifyRequest, site: Site): Exchange {
  return {
    site,
    principal: request.principal,
    wishes: readWishes({
      readOnly: request.headers['x-mcp-readonly'],
      toolsets: request.headers['x-mcp-toolsets'],
    }),
  };
}
