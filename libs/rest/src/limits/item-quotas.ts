import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { RateLimiter, takeQuotas } from '@lyceum/rate-limit';
import { Injectable } from '@nestjs/common';
import { quotasOfItems } from './rate-limit.policy.js';

/**
 * Counts the objects that one request makes. Take them before the transaction of the request: its key would store a
 * refusal, and its connection would wait for another one.
 */
@Injectable()
export class ItemQuotas {
  constructor(private readonly limiter: RateLimiter) {}

  /**
   * The request has shown its own quota, so the quota of items is shown in a refusal only.
   *
   * @throws ApiError `rate_limited`
   */
  async take(principal: Principal, items: number): Promise<void> {
    const headers: Record<string, string> = {};
    const reply = { header: (name: string, value: string) => (headers[name] = value) };
    try {
      await takeQuotas(this.limiter, quotasOfItems(principal, items), reply);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error;
      const { message, retryAfter } = error;
      throw new ApiError('rate_limited', message, { headers, ...(retryAfter === undefined ? {} : { retryAfter }) });
    }
  }
}
