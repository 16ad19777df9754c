import { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { SiteRecord } from '#src/sites/site.js';

const PASSED_ON = ['cookie', 'origin'] as const;

/**
 * The request as the engine sees it: of the site's canonical origin whatever headers came in (the engine builds URLs from
 * them), answering in JSON, with no body: the engine is asked by GET alone.
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
