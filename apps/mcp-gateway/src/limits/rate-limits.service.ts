import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { counterOf, countersOf, refusedTokensOf } from './caller.policy.js';
import type { Class, Counter } from './caller.policy.js';
import { SlidingWindow } from './sliding-window.js';
import { UsageExchange } from './usage.exchange.js';

interface Rate {
  readonly hits: number;
  readonly seconds: number;
}

/** Rates of callers with a token, and of refused tokens. The anonymous rate is configurable. */
export const RATES = {
  /** Per person and client. */
  client: { hits: 100, seconds: 60 },
  /** Per person across clients: another client registration grants no more messages. */
  person: { hits: 500, seconds: 60 },
  /** Refused tokens per source: each unknown token costs an introspection. */
  refused: { hits: 60, seconds: 60 },
} as const satisfies Record<Exclude<Class, 'anonymous'>, Rate>;

/** Number of remembered valid tokens. */
const GOOD_TOKENS = 50_000;

/** Injectable settings. */
export class AnonymousRate implements Rate {
  constructor(
    readonly hits: number,
    readonly seconds: number,
  ) {}
}

/**
 * Limits anonymous callers by source, others by client and person, at each site. Counted in memory; replicas exchange
 * their counts every second, so the limit is shared with that delay. Without NATS each replica counts alone.
 */
@Injectable()
export class RateLimits {
  readonly #rates: Readonly<Record<Class, Rate>>;
  readonly #windows: Readonly<Record<Class, SlidingWindow>>;
  readonly #goodTokens = new Set<string>();

  constructor(
    private readonly exchange: UsageExchange,
    anonymous: AnonymousRate,
  ) {
    this.#rates = { ...RATES, anonymous };
    const window = (name: Class): SlidingWindow => new SlidingWindow(this.#rates[name].seconds * 1_000);
    this.#windows = {
      anonymous: window('anonymous'),
      client: window('client'),
      person: window('person'),
      refused: window('refused'),
    };
    exchange.onUsage((key, count) => {
      const counter = counterOf(key);
      if (counter !== undefined) this.#windows[counter.class].add(key, count);
    });
  }

  /** Counts one message, or throws 429; refused messages do not count. */
  count(siteId: string, principal: Principal | null, ip: string): void {
    const counters = countersOf(siteId, principal, ip);
    for (const counter of counters) this.#refuseBeyond(counter, 'messages');
    for (const counter of counters) this.#add(counter);
  }

  /**
   * Throws 429 for a token after too many refused tokens of its source. A token that was valid before passes, so that
   * one person's guesses block no other person behind the same address.
   */
  refuseGuess(token: string, ip: string): void {
    const counter = refusedTokensOf(ip);
    if (!this.#isBelow(counter) && this.#goodTokens.has(fingerprintOf(token))) return;
    this.#refuseBeyond(counter, 'refused access tokens');
  }

  countRefusedToken(ip: string): void {
    this.#add(refusedTokensOf(ip));
  }

  rememberGoodToken({ token_fingerprint }: Principal): void {
    this.#goodTokens.add(token_fingerprint);
    if (this.#goodTokens.size <= GOOD_TOKENS) return;
    const [oldest] = this.#goodTokens;
    if (oldest !== undefined) this.#goodTokens.delete(oldest);
  }

  #add({ class: name, key }: Counter): void {
    this.#windows[name].add(key, 1);
    this.exchange.count(key);
  }

  #isBelow({ class: name, key }: Counter): boolean {
    return this.#windows[name].count(key) <= this.#rates[name].hits - 1;
  }

  #refuseBeyond(counter: Counter, what: string): void {
    if (this.#isBelow(counter)) return;
    const { hits, seconds } = this.#rates[counter.class];
    const retryAfter = this.#windows[counter.class].secondsUntil(counter.key, hits - 1);
    throw new ApiError('rate_limited', `At most ${hits} ${what} are allowed in ${seconds} seconds`, { retryAfter });
  }
}

/** Same as `Principal.token_fingerprint`. */
function fingerprintOf(token: string): string {
  return hash('sha256', token).slice(0, 16);
}
