import { RateLimiter, sourceOf, takeQuotas } from '@lyceum/rate-limit';
import type { Quota } from '@lyceum/rate-limit';
import { BearerAuthenticator, isOpen } from '@lyceum/resource-server';
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

  async take(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await takeQuotas(this.limiter, await this.#quotasOf(request), reply);
  }

  async #quotasOf(request: FastifyRequest): Promise<readonly [Quota, ...Quota[]]> {
    const { site, method, ip } = request;
    const kind = kindOf(method);
    if (request.principal !== null) return quotasOf(kind, request.principal);
    if (site === null || isOpen(request)) return [quotaOfSource(kind, sourceOf(ip))];
    // The guard refuses what is not acceptable: it knows the scopes of the operation.
    request.presented = await this.authenticator.present(request.raw.rawHeaders, site);
    const { presented } = request;
    return presented.kind === 'active' ? quotasOf(kind, presented.principal) : [quotaOfSource(kind, sourceOf(ip))];
  }
}
