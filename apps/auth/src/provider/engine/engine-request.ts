import { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { OAuthClient } from '#src/clients/client.js';
import type { SiteRecord } from '#src/sites/site.js';

/** Clients that were read before the engine asks for them. */
const clients = new WeakMap<IncomingMessage, OAuthClient>();

const PASSED_ON = ['cookie', 'origin', 'user-agent'] as const;

/**
 * The request for the engine: with the site's canonical origin in place of any header (the engine builds URLs from it),
 * accepting JSON, and without a body, because the engine gets GET requests only.
 */
export function engineRequest(site: SiteRecord, request: FastifyRequest, url: string): IncomingMessage {
  const message = new IncomingMessage(request.raw.socket);
  message.method = request.method;
  message.url = url;
  message.headers = { host: site.host, 'x-forwarded-proto': new URL(site.base_url).protocol.slice(0, -1) };
  message.headers.accept = 'application/json';
  for (const name of PASSED_ON) {
    const value = request.headers[name];
    if (value !== undefined) message.headers[name] = value;
  }
  message.push(null);
  message.complete = true;
  return message;
}

/** Saves the engine the read of a client. */
export function knowClient(message: IncomingMessage, client: OAuthClient): IncomingMessage {
  clients.set(message, client);
  return message;
}

/** The client of a request, if it was read for it. */
export function knownClient(message: IncomingMessage | undefined, clientId: string): OAuthClient | undefined {
  const client = message && clients.get(message);
  return client?.client_id === clientId ? client : undefined;
}
