import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { counterOf, countersOf, refusedTokensOf } from './caller.policy.js';
import type { Class, Counter } from './caller.policy.js';
import { SlidingWindow } from './sliding-window.js';
import { UsageGossip } from './usage.gossip.js';

interface Rate {
  readonly hits: number;
  readonly seconds: number;
}

/** Messages of callers with a token, and refused tokens. The messages of anonymous sources are a setting. */
export const RATES = {
  /** Of a person with one client. */
  client: { hits: 100, seconds: 60 },
  /** Of a person with all clients: a client that registers again gives no new messages. */
  person: { hits: 500, seconds: 60 },
  /** Tokens of one source that were answered with 401: each unknown token costs a look-up in auth. */
  refused: { hits: 60, seconds: 60 },
} as const satisfies Record<Exclude<Class, 'anonymous'>, Rate>;

/** Tokens that were good and are remembered. */
const GOOD_TOKENS = 50_000;

/** Injectable settings. */
export class AnonymousRate implements Rate {
  constructor(
    readonly hits: number,
    readonly seconds: number,
  ) {}
}

/**
 * Anonymous callers by source, others by client and person, at each site. Counted in memory; replicas exchange what they
 * have counted, so the limit is one for all of them, late by the second between two exchanges. Without NATS each replica
 * counts for itself.
 */
@Injectable()
export class RateLimits {
  readonly #rates: Readonly<Record<Class, Rate>>;
  readonly #windows: Readonly<Record<Class, SlidingWindow>>;
  readonly #goodTokens = new Set<string>();

  constructor(
    private readonly gossip: UsageGossip,
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
    gossip.onUsage((key, count) => {
      const counter = counterOf(key);
      if (counter !== undefined) this.#windows[counter.class].add(key, count);
    });
  }

  /** Counts one message, or refuses it (429); a refused one does not count. */
  count(siteId: string, principal: Principal | null, ip: string): void {
    const counters = countersOf(siteId, principal, ip);
    for (const counter of counters) this.#refuseBeyond(counter, 'messages');
    for (const counter of counters) this.#add(counter);
  }

  /**
   * Refuses a token (429) while too many tokens of its source were refused. A token that was good once passes, so that
   * one person who guesses stops no other person behind the same address.
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
    this.gossip.tell(key);
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

/** As `Principal.token_fingerprint`. */
function fingerprintOf(token: string): string {
  return hash('sha256', token).slice(0, 16);
}
