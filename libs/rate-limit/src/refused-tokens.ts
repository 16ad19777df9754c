import { hash } from 'node:crypto';
import { ApiError } from '@lyceum/errors';
import type { Limit } from './limit.js';
import type { RateLimiter } from './rate-limiter.js';
import { sourceOf } from './source.policy.js';

/** Number of remembered valid tokens. */
const GOOD_TOKENS = 50_000;

/**
 * Limits guessed tokens by their source, because each unknown token costs a look-up. A token that was valid before
 * passes, so that one person's guesses block no other person behind the same address.
 */
export class RefusedTokens {
  readonly #good = new Set<string>();

  /** @param limit the number of refused tokens of a source */
  constructor(
    private readonly limiter: Pick<RateLimiter, 'refuseExhausted' | 'secondsToWait'>,
    private readonly limit: Limit,
  ) {}

  /**
   * Looks a token up, unless it is a guess. The token is refused when the look-up returns undefined or throws
   * `invalid_token`; any other error does not count.
   *
   * @throws ApiError `rate_limited` after too many refused tokens of the source
   */
  async check<T>(token: string, ip: string, lookUp: () => Promise<T>): Promise<T> {
    this.#refuseGuess(token, ip);
    try {
      const found = await lookUp();
      if (found === undefined) await this.#count(ip);
      else this.#remember(token);
      return found;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'invalid_token') await this.#count(ip);
      throw error;
    }
  }

  #refuseGuess(token: string, ip: string): void {
    try {
      this.limiter.refuseExhausted(this.limit, sourceOf(ip));
    } catch (error) {
      if (!this.#good.has(fingerprintOf(token))) throw error;
    }
  }

  async #count(ip: string): Promise<void> {
    await this.limiter.secondsToWait(this.limit, sourceOf(ip));
  }

  #remember(token: string): void {
    this.#good.add(fingerprintOf(token));
    if (this.#good.size <= GOOD_TOKENS) return;
    const [oldest] = this.#good;
    if (oldest !== undefined) this.#good.delete(oldest);
  }
}

/** Not the token itself: a dump of the memory shows no token that works. */
function fingerprintOf(token: string): string {
  return hash('sha256', token).slice(0, 16);
}
