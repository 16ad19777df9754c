import { requestedBy } from '@lyceum/messages';
import { notFoundPage } from '@lyceum/pages';
import { runForReader, wantsPage } from '@lyceum/platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Sends the page "does not exist" to a person who opens an address in a browser. Returns false for the request of a
 * program, which gets a problem document.
 */
export function sendNotFoundPage({ method, site, headers, url }: FastifyRequest, reply: FastifyReply): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead || site === null || !wantsPage(headers.accept)) return false;
  const reader = { requested: requestedBy(url), site: site.locale ?? null, accepted: headers['accept-language'] };
  runForReader(reader, () => {
    const page = notFoundPage(site);
    void reply.code(page.status).headers(page.headers).send(page.body);
  });
  return true;
}

/** Shows people a page for every path without a route. Runs after `useSites`. */
export function showUnknownPaths(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 || !sendNotFoundPage(request, reply)) done();
  });
}
