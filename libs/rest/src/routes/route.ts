import 'reflect-metadata';
import type { Principal, Scope } from '@lyceum/contracts';
import type { ApiErrorCode } from '@lyceum/errors';
import type { StreamableFile } from '@nestjs/common';
import type { z } from 'zod';
import type { Write } from '../idempotency/write.js';
import type { ApiResponse } from '../responses/response.js';
import type { Urls } from '../responses/site-urls.js';
import { deprecationHeaders } from './deprecation.js';
import type { Deprecation } from './deprecation.js';

const ROUTES = Symbol('lyceum:routes');

export type Controller = new (...args: never[]) => object;

/** What the document says of a route that its other members do not say. */
export interface OperationDescription {
  /** `operationId`: the name of the function that a generated client gets. */
  readonly id: string;
  /** Verb and noun: the title in the OpenAPI document and of the tool. */
  readonly summary: string;
  /** For people: what it does, and what follows. */
  readonly description: string;
  /** Each response has the headers, and the descriptions say it. */
  readonly deprecated?: Deprecation | undefined;
  /** Without a schema an answer has no body. */
  readonly responses: Readonly<
    Record<number, { readonly description: string; readonly schema?: z.ZodType; readonly mediaType?: string }>
  >;
  /** Whether it takes `If-Match`. Without it, a write that never creates an object does. */
  readonly conditional?: boolean;
  /** Problems beside those that follow from what the route is: see `problems.policy.ts`. */
  readonly problems?: readonly ApiErrorCode[];
}

/** A request that the guard has let in, after parsing. */
export interface RouteRequest {
  readonly principal: Principal;
  readonly urls: Urls;
  /** Of the path, as the request has them. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  /** Of every method but GET. */
  readonly write: Write | undefined;
}

/** A route. The document and the server read the same declaration, so neither can say another thing than the other. */
export interface Route {
  /** Lower-case. */
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly parameters: readonly string[];
  readonly scopes: readonly [Scope, ...Scope[]];
  readonly query: z.ZodObject | undefined;
  readonly body: z.ZodType | undefined;
  readonly operation: OperationDescription;
  /** @param controller the instance that Nest made of the class that declares the route. */
  readonly respond: (controller: never, request: RouteRequest) => Promise<ApiResponse | StreamableFile>;
}

/** The routes of a controller, which `useRest` registers. Nest makes the instance; no decorator of Nest adds a route. */
export function Routes(routes: readonly Route[]): ClassDecorator {
  // A period that is too short prevents the start.
  for (const { operation } of routes) if (operation.deprecated !== undefined) deprecationHeaders(operation.deprecated);
  return (target) => Reflect.defineMetadata(ROUTES, routes, target);
}

export function routesOf(controllers: readonly Controller[]): Route[] {
  return controllers.flatMap((controller) => (Reflect.getOwnMetadata(ROUTES, controller) ?? []) as readonly Route[]);
}
