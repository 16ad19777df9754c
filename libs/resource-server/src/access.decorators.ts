import 'reflect-metadata';
import { SetMetadata, createParamDecorator } from '@nestjs/common';
import type { ExecutionContext, Type } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { Principal, Scope, Site } from '@lyceum/contracts';
import { requestOf } from './request.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** See `Open`. */
    open?: boolean;
  }
}

/** The access that an endpoint requires. The declaration of a method replaces that of its class. */
export type Access = { readonly open: true } | { readonly open: false; readonly scopes: readonly Scope[] };

export const ACCESS = Symbol('lyceum:access');
export const AUDIENCE = Symbol('lyceum:audience');

/** Requires all of the scopes. */
export function RequireScopes(...scopes: [Scope, ...Scope[]]): MethodDecorator & ClassDecorator {
  return SetMetadata<symbol, Access>(ACCESS, { open: false, scopes });
}

/** The endpoint needs no token. Neither the guard nor a hook before it verifies one that is sent. */
export function Open(): MethodDecorator & ClassDecorator {
  const access = SetMetadata<symbol, Access>(ACCESS, { open: true });
  const route = RouteConfig({ open: true });
  return (target: object, method?: string | symbol, descriptor?: PropertyDescriptor): void => {
    if (method !== undefined && descriptor !== undefined) {
      access(target, method, descriptor);
      route(target, method, descriptor);
      return;
    }
    const type = target as Type<object>;
    access(type);
    // Fastify knows the routes of methods alone.
    const prototype = type.prototype as object;
    for (const [name, own] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (typeof own.value === 'function' && name !== 'constructor') route(prototype, name, own);
    }
  };
}

/** Whether the route of a request is `@Open()`, for hooks that run before Nest. */
export function isOpen({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean {
  return routeOptions.config?.open === true;
}

/** Requires a token of a member application or of an operator application, in addition to scopes. */
export function Audience(audience: Principal['audience']): MethodDecorator & ClassDecorator {
  return SetMetadata(AUDIENCE, audience);
}

/** The principal of the request; an unexpected error on an open endpoint. */
export function principalOf({ principal }: Pick<FastifyRequest, 'principal'>): Principal {
  if (principal === null) throw new Error('The endpoint is open, so it has no principal: declare its scopes');
  return principal;
}

/** See `principalOf`. */
export const CurrentPrincipal = createParamDecorator((_data: unknown, context: ExecutionContext): Principal =>
  principalOf(requestOf(context)),
);

/** The site of the request. */
export const CurrentSite = createParamDecorator((_data: unknown, context: ExecutionContext): Site => {
  const { site } = requestOf(context);
  if (site === null) throw new Error('The request has no site: call useSites(app)');
  return site;
});
