import { Outcome } from '@lyceum/errors';
import { RateLimiter, limitHeader, policyHeader } from '@lyceum/rate-limit';
import type { Allowance } from '@lyceum/rate-limit';
import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { kindOf, quotasOf } from './rate-limit.policy.js';
import type { Quota } from './rate-limit.policy.js';

/** Limits each person with a client at a site. Runs after the guards; a request without a token is not counted. */
@Injectable()
export class RateLimitInterceptor implements NestInterceptor {
  constructor(private readonly limiter: RateLimiter) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (request.principal === null) return next.handle();
    const reply = http.getResponse<FastifyReply>();
    const [own, ...wider] = quotasOf(kindOf(request.method), request.principal);
    const allowance = await this.#take(own, reply);
    for (const quota of wider) await this.#take(quota, reply);
    show(reply, own, allowance);
    return next.handle();
  }

  async #take(quota: Quota, reply: FastifyReply): Promise<Allowance> {
    try {
      return await this.limiter.take(quota.limit, quota.subject);
    } catch (error) {
      if (error instanceof Outcome && error.code === 'rate_limited') {
        show(reply, quota, { remaining: 0, resetSeconds: error.retryAfter ?? 1 });
      }
      throw error;
    }
  }
}

/** The quota that decided: that of the caller, or the wider one that is used up. */
function show(reply: FastifyReply, { limit }: Quota, allowance: Allowance): void {
  reply.headers({ 'ratelimit-policy': policyHeader(limit), ratelimit: limitHeader(limit, allowance) });
}
