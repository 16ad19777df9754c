import { Injectable } from '@nestjs/common';
import { RateLimiter, RefusedTokens, takeQuotas } from '@lyceum/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { REFUSED_TOKENS, quotasOf } from './caller.policy.js';
import type { MessageLimits } from './caller.policy.js';

/** Injectable settings. */
export class MessageRates {
  constructor(readonly limits: MessageLimits) {}
}

/** Limits anonymous callers by source, others by client and person, at each site. */
@Injectable()
export class RateLimits {
  readonly refusedTokens: RefusedTokens;

  constructor(
    private readonly limiter: RateLimiter,
    private readonly rates: MessageRates,
  ) {
    this.refusedTokens = new RefusedTokens(limiter, REFUSED_TOKENS);
  }

  /** Counts one message and shows its quota in the headers, or throws 429. A message with 429 does not count. */
  async count(siteId: string, { principal, ip }: FastifyRequest, reply: FastifyReply): Promise<void> {
    await takeQuotas(this.limiter, quotasOf(this.rates.limits, { siteId, principal, ip }), reply);
  }
}
