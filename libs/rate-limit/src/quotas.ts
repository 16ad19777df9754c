import { ApiError } from '@lyceum/errors';
import { limitHeader, policyHeader } from './headers.policy.js';
import type { Allowance, Limit } from './limit.js';
import type { RateLimiter } from './rate-limiter.js';

/** A limit, and the subject whose window a request counts in. */
export interface Quota {
  readonly limit: Limit;
  readonly subject: string;
}

/** The reply of Fastify. */
interface Reply {
  header(name: string, value: string): unknown;
}

/**
 * Takes a unit of each quota, the narrowest first; a request that one refuses counts in none. `RateLimit` and
 * `RateLimit-Policy` show the quota that decided: the narrowest, or the wider one that is used up.
 *
 * @throws ApiError `rate_limited`
 */
export async function takeQuotas(
  limiter: Pick<RateLimiter, 'take' | 'giveBack'>,
  quotas: readonly [Quota, ...Quota[]],
  reply: Reply,
): Promise<void> {
  const [own] = quotas;
  let shown: Allowance | undefined;
  for (const [index, quota] of quotas.entries()) {
    try {
      const allowance = limiter.take(quota.limit, quota.subject);
      const taken = allowance instanceof Promise ? await allowance : allowance;
      shown ??= taken;
    } catch (error) {
      for (const { limit, subject } of quotas.slice(0, index)) limiter.giveBack(limit, subject);
      if (error instanceof ApiError && error.code === 'rate_limited') {
        show(reply, quota.limit, { remaining: 0, resetSeconds: error.retryAfter ?? 1 });
      }
      throw error;
    }
  }
  if (shown !== undefined) show(reply, own.limit, shown);
}

function show(reply: Reply, limit: Limit, allowance: Allowance): void {
  reply.header('ratelimit-policy', policyHeader(limit));
  reply.header('ratelimit', limitHeader(limit, allowance));
}
