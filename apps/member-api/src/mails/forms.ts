import type { FastifyInstance } from 'fastify';

/**
 * A mail program that ends a subscription posts a form with one fixed field, in either of the two forms (RFC 8058 §3.2);
 * so does the page. Nothing in it is read: the address says everything.
 */
export function ignoreForms(server: FastifyInstance): void {
  const types = ['application/x-www-form-urlencoded', 'multipart/form-data'];
  server.addContentTypeParser(types, { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));
}
