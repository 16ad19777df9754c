import { hookOf } from '@lyceum/platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { BearerAuthenticator } from './bearer.authenticator.js';
import type { RequiredAccess } from './bearer.authenticator.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The access that the route requires, unless it is `open`. */
    access?: RequiredAccess;
  }
}

/**
 * Guards all routes of an application before their handlers. A route that declares neither
 * `access` nor `open` prevents the start.
 */
export function guardRoutes(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  const authenticator = app.get(BearerAuthenticator);
  fastify.addHook('onRoute', ({ method, url, config }) => {
    if (config?.open === true || config?.access !== undefined) return;
    throw new Error(`The route ${String(method)} ${url} declares neither access nor Open`);
  });
  fastify.addHook(
    'preHandler',
    hookOf((request) => {
      const { access, open } = request.routeOptions.config;
      if (request.is404 || open === true) return undefined;
      if (access === undefined) throw new Error('The route was registered before guardRoutes(app)');
      return authenticator.admit(request, access, 'rest');
    }),
  );
}
