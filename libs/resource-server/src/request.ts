import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Principal, Site } from '@lyceum/contracts';
import type { Presented } from './token-introspection.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before any other code of the service runs. */
    site: Site | null;
    /** Set by the guard, or before it by a gate of the service; null for an anonymous caller. */
    principal: Principal | null;
    /** Set by a hook that introspects the token before the guard. */
    presented: Presented | null;
  }
}

export function siteOf({ site }: Pick<FastifyRequest, 'site'>): Site {
  if (site === null) throw new Error('The request has no site: call useResourceServer(app) before other hooks');
  return site;
}

/** The principal of the request; an unexpected error on an open endpoint. */
export function principalOf({ principal }: Pick<FastifyRequest, 'principal'>): Principal {
  if (principal === null) throw new Error('The endpoint is open, so it has no principal: declare its scopes');
  return principal;
}

/** See `siteOf`. */
export const CurrentSite = createParamDecorator((_data: unknown, context: ExecutionContext): Site =>
  siteOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
