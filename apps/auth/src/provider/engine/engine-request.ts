import { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { SiteRecord } from '#src/sites/site.js';

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
