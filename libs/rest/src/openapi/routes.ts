import 'reflect-metadata';
import { accessOf } from '@lyceum/resource-server';
import { RequestMethod } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/internal';
import type { z } from 'zod';
import { OPERATION } from './operation.decorator.js';
import type { OperationDescription } from './operation.decorator.js';

/** Keys under which Nest keeps what its decorators say. */
const PATH = 'path';
const METHOD = 'method';
const ARGUMENTS = '__routeArguments__';

export type Controller = new (...args: never[]) => object;

/** A route, from the decorators that make it work: so the document cannot say another thing than the service does. */
export interface Route {
  /** Lower-case. */
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly parameters: readonly string[];
  readonly scopes: readonly string[];
  readonly query: z.ZodObject | undefined;
  readonly body: z.ZodType | undefined;
  readonly operation: OperationDescription;
}

export function routesOf(controllers: readonly Controller[]): Route[] {
  return controllers.flatMap((controller) =>
    Object.getOwnPropertyNames(controller.prototype).flatMap((name) => {
      const handler: unknown = Reflect.get(controller.prototype, name);
      if (typeof handler !== 'function' || Reflect.getMetadata(METHOD, handler) === undefined) return [];
      return [routeOf(controller, name, handler)];
    }),
  );
}

function routeOf(controller: Controller, name: string, handler: object): Route {
  const operation = Reflect.getMetadata(OPERATION, handler) as OperationDescription | undefined;
  const access = accessOf(handler, controller);
  if (operation === undefined || access === undefined || access.open) {
    throw new Error(`${controller.name}.${name} lacks @Operation or @RequireScopes`);
  }
  const paths = [controller, handler].map((target) => String(Reflect.getMetadata(PATH, target)));
  const path = `/${paths
    .map((part) => part.replaceAll(/^\/|\/$/g, ''))
    .filter(Boolean)
    .join('/')}`;
  return {
    method: (RequestMethod[Reflect.getMetadata(METHOD, handler) as RequestMethod] ?? '').toLowerCase(),
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    parameters: [...path.matchAll(/:(\w+)/g)].map(([, parameter = '']) => parameter),
    scopes: access.scopes,
    query: schemaOf(controller, name, RouteParamtypes.QUERY) as z.ZodObject | undefined,
    body: schemaOf(controller, name, RouteParamtypes.BODY),
    operation,
  };
}

function schemaOf(controller: Controller, name: string, type: RouteParamtypes): z.ZodType | undefined {
  const found = (Reflect.getMetadata(ARGUMENTS, controller, name) ?? {}) as Record<string, { schema?: z.ZodType }>;
  return Object.entries(found).find(([key]) => key.startsWith(`${type}:`))?.[1].schema;
}
