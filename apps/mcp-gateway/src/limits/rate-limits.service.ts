import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '@lyceum/contracts';
import { RateLimiter, sourceOf, takeQuotas } from '@lyceum/rate-limit';
import type { Limit } from '@lyceum/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LIMITS, quotasOf } from './caller.policy.js';

/** Number of remembered valid tokens. */
const GOOD_TOKENS = 50_000;

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
  readonly #goodTokens = new Set<string>();

  constructor(
    private readonly limiter: RateLimiter,
    private readonly anonymous: AnonymousRate,
  ) {}

  /** Counts one message and shows its quota in the headers, or throws 429. A message with 429 does not count. */
  async count(siteId: string, { principal, ip }: FastifyRequest, reply: FastifyReply): Promise<void> {
    await takeQuotas(this.limiter, quotasOf(this.anonymous.limit, { siteId, principal, ip }), reply);
  }

  /**
   * Throws 429 for a token after too many refused tokens of its source. A token that was valid before passes, so that
   * one person's guesses block no other person behind the same address.
   */
  refuseGuess(token: string, ip: string): void {
    if (this.#goodTokens.has(fingerprintOf(token))) return;
    this.limiter.refuseExhausted(LIMITS.refused, sourceOf(ip));
  }

  async countRefusedToken(ip: string): Promise<void> {
    await this.limiter.secondsToWait(LIMITS.refused, sourceOf(ip));
  }

  rememberGoodToken({ token_fingerprint }: Principal): void {
    this.#goodTokens.add(token_fingerprint);
    if (this.#goodTokens.size <= GOOD_TOKENS) return;
    const [oldest] = this.#goodTokens;
    if (oldest !== undefined) this.#goodTokens.delete(oldest);
  }
}

/** Same as `Principal.token_fingerprint`. */
function fingerprintOf(token: string): string {
  return hash('sha256', token).slice(0, 16);
}
