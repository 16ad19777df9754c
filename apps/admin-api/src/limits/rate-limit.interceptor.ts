import { Outcome } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { kindOf, limitHeader, policyHeader } from './rate-limit.policy.js';
import { RateLimits } from './rate-limit.service.js';

/** Limits each client at each site. After the guards, which know the client; what needs no token is not counted. */
@Injectable()
export class RateLimitInterceptor implements NestInterceptor {
  constructor(private readonly limits: RateLimits) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const { principal } = request;
    if (principal === null) return next.handle();
    const reply = http.getResponse<FastifyReply>();
    const kind = kindOf(request.method);
    reply.header('ratelimit-policy', policyHeader(kind));
    try {
      const { remaining, reset } = await this.limits.take({ ...principal, kind });
      reply.header('ratelimit', limitHeader(kind, remaining, reset));
    } catch (error) {
      if (error instanceof Outcome && error.code === 'rate_limited') {
        reply.header('ratelimit', limitHeader(kind, 0, error.retryAfter ?? 1));
      }
      throw error;
    }
    return next.handle();
  }
}
