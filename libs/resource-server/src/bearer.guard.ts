import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Principal } from '@lyceum/contracts';
import { Reflector } from '@nestjs/core';
import { ACCESS, AUDIENCE } from './access.decorators.js';
import type { Access } from './access.decorators.js';
import { BearerAuthenticator } from './bearer.authenticator.js';
import { requestOf } from './request.js';

interface Requirements {
  readonly type: object;
  readonly access: Access;
  readonly audience: Principal['audience'] | undefined;
}

/** The global guard: an endpoint without a declaration is closed. */
@Injectable()
export class BearerGuard implements CanActivate {
  /** Cache by handler. Declarations do not change, and a lookup reads two classes. */
  readonly #requirements = new WeakMap<object, Requirements>();

  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: BearerAuthenticator,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { access, audience } = this.#requirementsOf(context);
    if (access.open) return true;
    const via = context.getType<'http' | 'graphql'>() === 'graphql' ? 'graphql' : 'rest';
    const admitted = this.authenticator.admit(requestOf(context), { scopes: access.scopes, audience }, via);
    return admitted === undefined || admitted.then(() => true);
  }

  #requirementsOf(context: ExecutionContext): Requirements {
    const handler = context.getHandler();
    const type = context.getClass();
    const known = this.#requirements.get(handler);
    // Two classes may share a handler, which one of them inherits.
    if (known?.type === type) return known;
    const targets = [handler, type];
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, targets);
    if (access === undefined) {
      throw new Error(`${type.name}.${handler.name} declares neither scopes nor Open`);
    }
    const audience = this.reflector.getAllAndOverride<Principal['audience'] | undefined>(AUDIENCE, targets);
    const requirements = { type, access, audience };
    this.#requirements.set(handler, requirements);
    return requirements;
  }
}
