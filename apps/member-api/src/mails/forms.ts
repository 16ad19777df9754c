import type { FastifyInstance } from 'fastify';

/**
 * One-click unsubscription posts a form with one fixed field, in one of two encodings (RFC 8058 §3.2). The page does
 * the same. The body is not read, because the URL contains all parameters.
 */
export function ignoreForms(server: FastifyInstance): void {
  const types = ['application/x-www-form-urlencoded', 'multipart/form-data'];
  server.addContentTypeParser(types, { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));
}
