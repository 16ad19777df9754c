import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** Keeps the body as text, so that malformed JSON gets a JSON-RPC error. Other media types are 415. */
export function useMcpBodies(app: NestFastifyApplication, bodyLimit: number): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit }, (_request, body, done) => {
    done(null, body);
  });
}
