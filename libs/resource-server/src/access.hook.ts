import { hookOf } from '@lyceum/platform';
import type { Actor } from '@lyceum/platform';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { BearerAuthenticator } from './bearer.authenticator.js';
import type { RequiredAccess } from './bearer.authenticator.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The access that the route requires. */
    access?: RequiredAccess;
    /** The route requires no access. */
    open?: boolean;
    /** The `via` of the actor of its requests; `rest` by default. */
    via?: Actor['via'];
  }
}

/** The endpoint of Nest needs no token. The guard does not verify one that is sent. */
export function Open(): MethodDecorator {
  return RouteConfig({ open: true });
}

/** Whether the route of a request is open, for hooks that run before the guard. */
export function isOpen({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean {
  return routeOptions.config?.open === true;
}

/**
 * Guards all routes before their handlers, those of Nest too. A route that declares neither `access` nor `open`
 * prevents the start.
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
      const { access, open, via = 'rest' } = request.routeOptions.config;
      if (request.is404) return undefined;
      if (access !== undefined) return authenticator.admit(request, access, via);
      if (open !== true) throw new Error('The route was registered before useResourceServer(app)');
      return undefined;
    }),
  );
}
