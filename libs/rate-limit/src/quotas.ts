import { ApiError } from '@lyceum/errors';
import { limitHeader, policyHeader } from './headers.policy.js';
import type { Allowance, Limit } from './limit.js';
import type { RateLimiter } from './rate-limiter.js';

/** A limit, and the subject whose window counts the request. */
export interface Quota {
  readonly limit: Limit;
  readonly subject: string;
  /** Units that the request takes. Default: 1. */
  readonly cost?: number;
}

type Limiter = Pick<RateLimiter, 'take' | 'giveBack'>;
type Quotas = readonly [Quota, ...Quota[]];

/** The reply of Fastify. */
interface Reply {
  header(name: string, value: string): unknown;
}

interface Taking {
  readonly limiter: Limiter;
  readonly quotas: Quotas;
  readonly reply: Reply;
}

/**
 * Takes the units of each quota, the narrowest first. A refused request counts in none. Sets `RateLimit` and
 * `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10) for the narrowest quota, or for a wider exhausted one.
 * Returns a promise only if a lease is needed.
 *
 * @throws ApiError `rate_limited`
 */
export function takeQuotas(limiter: Limiter, quotas: Quotas, reply: Reply): void | Promise<void> {
  return takeFrom(0, undefined, { limiter, quotas, reply });
}

/** @param own the allowance of the narrowest quota, once its units are taken */
function takeFrom(first: number, own: Allowance | undefined, taking: Taking): void | Promise<void> {
  const { limiter, quotas, reply } = taking;
  let shown = own;
  for (const [index, { limit, subject, cost }] of quotas.entries()) {
    if (index < first) continue;
    const refuse = (error: unknown): never => refused(index, error, taking);
    let allowance: Allowance | Promise<Allowance>;
    try {
      allowance = limiter.take(limit, subject, cost);
    } catch (error) {
      return refuse(error);
    }
    if (allowance instanceof Promise) {
      return allowance.then((taken) => takeFrom(index + 1, shown ?? taken, taking), refuse);
    }
    shown ??= allowance;
  }
  if (shown !== undefined) show(reply, quotas[0].limit, shown);
}

/** Returns the units of the quotas before the exhausted one. */
function refused(at: number, error: unknown, { limiter, quotas, reply }: Taking): never {
  for (const { limit, subject, cost } of quotas.slice(0, at)) limiter.giveBack(limit, subject, cost);
  const limit = quotas[at]?.limit;
  if (limit !== undefined && error instanceof ApiError && error.code === 'rate_limited') {
    show(reply, limit, { remaining: 0, resetSeconds: error.retryAfter ?? 1 });
  }
  throw error;
}

function show(reply: Reply, limit: Limit, allowance: Allowance): void {
  reply.header('ratelimit-policy', policyHeader(limit));
  reply.header('ratelimit', limitHeader(limit, allowance));
}
