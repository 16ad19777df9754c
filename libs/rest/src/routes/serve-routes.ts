import { SiteTimeZones, prepareDates, providersOf } from '@lyceum/platform';
import { principalOf } from '@lyceum/resource-server';
import { DiscoveryService } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { writeOf } from '../idempotency/write-request.js';
import { urlsOf } from '../responses/site-urls.js';
import { gathered } from '../paging/metadata-filter.js';
import { parseBody, parseQuery } from '../validation/parse.js';
import { deprecationHeaders } from './deprecation.js';
import type { DeprecationHeaders } from './deprecation.js';
import { ServedRoutes, routesOf } from './route.js';
import type { Controller, Route, RouteRequest } from './route.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Headers of each response. */
    deprecated?: DeprecationHeaders;
  }
}

type Request = FastifyRequest<{ Params: Readonly<Record<string, string>> }>;

/**
 * Registers the routes of all providers and controllers at Fastify. Nest's chain of guards, interceptors and pipes took
 * about 8 % of a read.
 */
export function serveRoutes(app: NestFastifyApplication): void {
  const server = app.getHttpAdapter().getInstance();
  const discovery = app.get(DiscoveryService);
  const [zones] = providersOf(discovery, SiteTimeZones);
  for (const { routes, dependencies } of servedRoutes(discovery)) {
    for (const route of routes) {
      const { method, path, scopes, anyScope, operation } = route;
      const requestOf = parserOf(route);
      server.route<{ Params: Request['params'] }>({
        method,
        url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        config: {
          access: { scopes, anyScope, audience: 'operator' },
          ...(operation.deprecated && { deprecated: deprecationHeaders(operation.deprecated) }),
        },
        handler: async (request) => {
          await prepareDates(zones, principalOf(request).site_id, [request.query, request.body]);
          return route.respond(dependencies as never, requestOf(request));
        },
      });
    }
  }
}

/** The routes of all providers and controllers, with the dependencies that they are served with. */
export function servedRoutes(discovery: DiscoveryService): ServedRoutes[] {
  const controllers = discovery
    .getControllers()
    .map(({ metatype, instance }) => new ServedRoutes(routesOf([metatype as Controller]), instance as object));
  return [...providersOf(discovery, ServedRoutes), ...controllers];
}

/** Reads the schemas of a route at its first request, because most are made at their first use. */
function parserOf(route: Route): (request: Request) => RouteRequest {
  let parse: ((request: Request) => RouteRequest) | undefined;
  return (request) => (parse ??= madeParser(route))(request);
}

function madeParser({ method, scopes, query, body }: Route): (request: Request) => RouteRequest {
  const queryOf = query && withDefaults(query);
  return (request) => ({
    principal: principalOf(request),
    urls: urlsOf(request),
    parameters: request.params,
    write: method === 'get' ? undefined : writeOf(request, scopes),
    query: queryOf?.(request.query as object),
    body: body && parseBody(body, request.body),
  });
}

/** Most requests have no query: its defaults are parsed once. */
function withDefaults(schema: z.ZodObject): (query: object) => unknown {
  const { data } = schema.safeParse({});
  const parse = (query: object): unknown => parseQuery(schema, 'metadata' in schema.shape ? gathered(query) : query);
  if (data === undefined) return parse;
  const defaults = Object.freeze(data);
  return (query) => {
    for (const _name in query) return parse(query);
    return defaults;
  };
}
