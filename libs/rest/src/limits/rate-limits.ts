import { ApiError } from '@lyceum/errors';
import { RateLimiter, limitHeader, policyHeader, sourceOf } from '@lyceum/rate-limit';
import type { Allowance } from '@lyceum/rate-limit';
import { BearerAuthenticator, isOpen } from '@lyceum/resource-server';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { kindOf, quotaOfSource, quotasOf } from './rate-limit.policy.js';
import type { Quota } from './rate-limit.policy.js';

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
    const [own, ...wider] = await this.#quotasOf(request);
    const allowance = await this.#take(own, reply);
    for (const quota of wider) await this.#take(quota, reply);
    show(reply, own, allowance);
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

  #take(quota: Quota, reply: FastifyReply): Allowance | Promise<Allowance> {
    try {
      const allowance = this.limiter.take(quota.limit, quota.subject);
      return allowance instanceof Promise
        ? allowance.catch((error: unknown) => refuse(error, quota, reply))
        : allowance;
    } catch (error) {
      return refuse(error, quota, reply);
    }
  }
}

function refuse(error: unknown, quota: Quota, reply: FastifyReply): never {
  if (error instanceof ApiError && error.code === 'rate_limited') {
    show(reply, quota, { remaining: 0, resetSeconds: error.retryAfter ?? 1 });
  }
  throw error;
}

/** The quota that decided: that of the caller, or the wider one that is used up. */
function show(reply: FastifyReply, { limit }: Quota, allowance: Allowance): void {
  void reply.header('ratelimit-policy', policyHeader(limit)).header('ratelimit', limitHeader(limit, allowance));
}
