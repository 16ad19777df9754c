import 'reflect-metadata';
import { SetMetadata, createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Principal, Scope, Site } from '@lyceum/contracts';
import { requestOf } from './request.js';

/** What an endpoint asks of its caller. The method's declaration replaces the class's. */
export type Access = { readonly open: true } | { readonly open: false; readonly scopes: readonly Scope[] };

export const ACCESS = Symbol('lyceum:access');
export const AUDIENCE = Symbol('lyceum:audience');

/** The caller's token must hold all of the scopes. */
export function RequireScopes(...scopes: [Scope, ...Scope[]]): MethodDecorator & ClassDecorator {
  return SetMetadata<symbol, Access>(ACCESS, { open: false, scopes });
}

/** The endpoint needs no token, and does not look at one. */
export function Open(): MethodDecorator & ClassDecorator {
  return SetMetadata<symbol, Access>(ACCESS, { open: true });
}

/** Beside the scopes, the token must be of a member's or of an operator's application. */
export function Audience(audience: Principal['audience']): MethodDecorator & ClassDecorator {
  return SetMetadata(AUDIENCE, audience);
}

/** Who is asking; a fault on an open endpoint. */
export const CurrentPrincipal = createParamDecorator((_data: unknown, context: ExecutionContext): Principal => {
  const { principal } = requestOf(context);
  if (principal === null) throw new Error('There is no principal: the endpoint is open');
  return principal;
});

/** The site that the request was sent to. */
export const CurrentSite = createParamDecorator((_data: unknown, context: ExecutionContext): Site => {
  const { site } = requestOf(context);
  if (site === null) throw new Error('There is no site: useSites(app) was not called');
  return site;
});

/** What an endpoint declares, for documents that say the same: the method's declaration, or else the class's. */
export function accessOf(method: object, controller: object): Access | undefined {
  const declared: unknown = Reflect.getMetadata(ACCESS, method) ?? Reflect.getMetadata(ACCESS, controller);
  return declared as Access | undefined;
}
