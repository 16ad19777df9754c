import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** Bodies reach the handlers unread: each reads its own form with its own limit and error format (body.ts). */
export function leaveBodiesUnread(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, _payload, done) => done(null));
}
