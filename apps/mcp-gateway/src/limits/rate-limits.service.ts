import { Injectable } from '@nestjs/common';
import { RateLimiter, RefusedTokens, takeQuotas } from '@lyceum/rate-limit';
import type { Limit } from '@lyceum/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LIMITS, quotasOf } from './caller.policy.js';

/** Injectable settings. */
export class AnonymousRate {
  readonly limit: Limit;

  constructor(hits: number, windowSeconds: number) {
    // Most sources send few messages: for them a tenth costs no lease.
    this.limit = { name: 'anonymous', hits, windowSeconds, unit: 'messages', unshared: Math.floor(hits / 10) };
  }
}

/** Limits anonymous callers by source, others by client and person, at each site. */
@Injectable()
export class RateLimits {
  readonly refusedTokens: RefusedTokens;

  constructor(
    private readonly limiter: RateLimiter,
    private readonly anonymous: AnonymousRate,
  ) {
    this.refusedTokens = new RefusedTokens(limiter, LIMITS.refused);
  }

  /** Counts one message and shows its quota in the headers, or throws 429; refused messages do not count. */
  async count(siteId: string, { principal, ip }: FastifyRequest, reply: FastifyReply): Promise<void> {
    await takeQuotas(this.limiter, quotasOf(this.anonymous.limit, { siteId, principal, ip }), reply);
  }
}
