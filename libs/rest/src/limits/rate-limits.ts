import type { Principal } from '@lyceum/contracts';
import { RateLimiter, sourceOf, takeQuotas } from '@lyceum/rate-limit';
import { BearerAuthenticator, isOpen } from '@lyceum/resource-server';
import type { Presented } from '@lyceum/resource-server';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { kindOf, quotaOfSource, quotasOf } from './rate-limit.policy.js';

/**
 * Counts each request before it is routed, so that a refusal of every kind is counted and shows its limit: those of a
 * person with a client at a site, the others by the address that they come from.
 */
@Injectable()
export class RateLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly authenticator: BearerAuthenticator,
  ) {}

  /** A promise only when the token is introspected or a lease is needed. */
  take(request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    const { site, method, ip, principal } = request;
    const kind = kindOf(method);
    const takeOf = (person: Principal | null): void | Promise<void> =>
      takeQuotas(this.limiter, person === null ? [quotaOfSource(kind, sourceOf(ip))] : quotasOf(kind, person), reply);
    if (principal !== null || site === null || isOpen(request)) return takeOf(principal);
    // The guard refuses what is not acceptable: it knows the scopes of the operation.
    const takeOfPresented = (presented: Presented): void | Promise<void> => {
      request.presented = presented;
      return takeOf(presented.kind === 'active' ? presented.principal : null);
    };
    const presented = this.authenticator.present(request.raw.rawHeaders, site);
    return presented instanceof Promise ? presented.then(takeOfPresented) : takeOfPresented(presented);
  }
}
