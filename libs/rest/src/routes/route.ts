import 'reflect-metadata';
import type { Principal, Scope } from '@lyceum/contracts';
import type { ApiErrorCode } from '@lyceum/errors';
import type { z } from 'zod';
import type { Write } from '../idempotency/write.js';
import type { ApiResponse } from '../responses/response.js';
import type { Urls } from '../responses/site-urls.js';
import { deprecationHeaders } from './deprecation.js';
import type { Deprecation } from './deprecation.js';

const ROUTES = Symbol('lyceum:routes');

export type Controller = new (...args: never[]) => object;

/** The description of a route in the OpenAPI document. */
export interface OperationDescription {
  /** `operationId`: the name of the function that a generated client gets. */
  readonly id: string;
  /** Verb and noun: the title in the OpenAPI document and of the tool. */
  readonly summary: string;
  /** Explains the operation and its effects to people. */
  readonly description: string;
  /** Adds headers to all responses, and a sentence to the descriptions. */
  readonly deprecated?: Deprecation | undefined;
  /** Responses by status. A response without a schema has no body. */
  readonly responses: Readonly<Record<number, { readonly description: string; readonly schema?: z.ZodType }>>;
  /** True if the operation accepts `If-Match`. Default: true for writes that never create an object. */
  readonly conditional?: boolean;
  /** Problems in addition to those of `problems.policy.ts`. */
  readonly problems?: readonly ApiErrorCode[];
}

/** A parsed request that passed the guard. */
export interface RouteRequest {
  readonly principal: Principal;
  readonly urls: Urls;
  /** The parameters of the path, unparsed. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  /** Undefined for GET. */
  readonly write: Write | undefined;
}

/** A route. OpenAPI document and server use the same declaration, so they cannot differ. */
export interface Route {
  /** HTTP method in lower case. */
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Path with parameters as `{name}`. */
  readonly path: string;
  readonly parameters: readonly string[];
  /** Schemas of parameters that are no plain UUID or word. */
  readonly parameterSchemas?: Readonly<Record<string, z.ZodType>>;
  /** The request needs all of them, or with `anyScope` one of them. */
  readonly scopes: readonly [Scope, ...Scope[]];
  readonly anyScope?: boolean;
  /** Tag in the OpenAPI document. Default: the collection of the first scope. */
  readonly tag?: string;
  readonly query: z.ZodObject | undefined;
  readonly body: z.ZodType | undefined;
  readonly operation: OperationDescription;
  /** @param dependencies those of `ServedRoutes`; the controller that has `@Routes`. */
  readonly respond: (dependencies: never, request: RouteRequest) => Promise<ApiResponse>;
}

/** Routes with their dependencies. A provider of this class is found by `useRest`. */
export class ServedRoutes {
  constructor(
    readonly routes: readonly Route[],
    readonly dependencies: object,
  ) {}
}

/** @throws Error when the period of a deprecation is too short */
export function requireNotice(routes: readonly Route[]): void {
  for (const { operation } of routes) if (operation.deprecated !== undefined) deprecationHeaders(operation.deprecated);
}

/** Class decorator that declares the routes of a controller. Nest creates the instance; `useRest` adds the routes. */
export function Routes(routes: readonly Route[]): ClassDecorator {
  requireNotice(routes);
  return (target) => Reflect.defineMetadata(ROUTES, routes, target);
}

/** Returns the routes that `Routes` declares on the controllers. */
export function routesOf(controllers: readonly Controller[]): Route[] {
  return controllers.flatMap((controller) => (Reflect.getOwnMetadata(ROUTES, controller) ?? []) as readonly Route[]);
}
