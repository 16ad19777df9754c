import { Injectable } from '@nestjs/common';
import type { Principal } from '@lyceum/contracts';
import { Outcome } from '@lyceum/errors';
import { SlidingWindow } from './sliding-window.js';
import { callerKey } from './source.policy.js';
import { UsageGossip } from './usage.gossip.js';

const MINUTE = 60_000;

/** Messages a minute. */
export const RATES = { anonymousSource: 60, clientAndPerson: 100 } as const;

/**
 * Anonymous callers by source, others by client and person, at each site. Counted in memory; replicas tell each other what
 * they have counted, so the limit is one for all of them, late by the second between two tellings. Without NATS each counts
 * for itself.
 */
@Injectable()
export class RateLimits {
  readonly #window = new SlidingWindow(MINUTE);

  constructor(private readonly gossip: UsageGossip) {
    gossip.onUsage((key, count) => this.#window.add(key, count));
  }

  /** Counts one message, or refuses it (429); a refused one does not count. */
  count(siteId: string, principal: Principal | null, ip: string): void {
    const key = callerKey(siteId, principal, ip);
    const limit = principal === null ? RATES.anonymousSource : RATES.clientAndPerson;
    if (this.#window.count(key) > limit - 1) {
      throw new Outcome('rate_limited', `At most ${limit} messages a minute`, {
        retryAfter: this.#window.secondsUntil(key, limit - 1),
      });
    }
    this.#window.add(key, 1);
    this.gossip.tell(key);
  }
}
