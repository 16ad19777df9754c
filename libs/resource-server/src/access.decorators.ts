import 'reflect-metadata';
import { SetMetadata, createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Principal, Scope, Site } from '@lyceum/contracts';
import { requestOf } from './request.js';

/** The access that an endpoint requires. The method's declaration replaces the class's. */
export type Access = { readonly open: true } | { readonly open: false; readonly scopes: readonly Scope[] };

export const ACCESS = Symbol('lyceum:access');
export const AUDIENCE = Symbol('lyceum:audience');

/** Requires all of the scopes. */
export function RequireScopes(...scopes: [Scope, ...Scope[]]): MethodDecorator & ClassDecorator {
  return SetMetadata<symbol, Access>(ACCESS, { open: false, scopes });
}

/** The endpoint needs no token and ignores one. */
export function Open(): MethodDecorator & ClassDecorator {
  return SetMetadata<symbol, Access>(ACCESS, { open: true });
}

/** Requires a token of a member application or of an operator application, in addition to scopes. */
export function Audience(audience: Principal['audience']): MethodDecorator & ClassDecorator {
  return SetMetadata(AUDIENCE, audience);
}

/** The principal of the request; an unexpected error on an open endpoint. */
export const CurrentPrincipal = createParamDecorator((_data: unknown, context: ExecutionContext): Principal => {
  const { principal } = requestOf(context);
  if (principal === null) throw new Error('The endpoint is open, so it has no principal: declare its scopes');
  return principal;
});

/** The site of the request. */
export const CurrentSite = createParamDecorator((_data: unknown, context: ExecutionContext): Site => {
  const { site } = requestOf(context);
  if (site === null) throw new Error('The request has no site: call useSites(app)');
  return site;
});

/** The declared access of an endpoint, for generated documents: the method's declaration, or else the class's. */
export function accessOf(method: object, controller: object): Access | undefined {
  const declared: unknown = Reflect.getMetadata(ACCESS, method) ?? Reflect.getMetadata(ACCESS, controller);
  return declared as Access | undefined;
}
