import { Outcome } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import { QUOTAS, minuteOf, secondsLeft } from './rate-limit.policy.js';
import { RateLimitRepository } from './rate-limit.repository.js';
import type { Subject } from './rate-limit.repository.js';

/** What a replica holds of a client's minute. */
interface Budget {
  /** Requests that it may still let through without asking. */
  held: number;
  /** What nobody had taken when it last asked. */
  left: number;
  exhausted: boolean;
  lease: Promise<void> | undefined;
}

export interface Allowance {
  readonly remaining: number;
  /** Seconds until the quota is whole again. */
  readonly reset: number;
}

/**
 * Counts by leases: a replica takes a part of the minute's quota from the database and lets that many requests through
 * on its own. Some fifty statements for the six hundred requests of a client, one row per client, and a refused request
 * costs none. All replicas together never let more through than the quota. One of them may refuse while another one
 * holds a rest, an eighth of the quota at most.
 */
@Injectable()
export class RateLimits {
  #minute = 0;
  /** Of the current minute: as many as there are clients in it. */
  #budgets = new Map<string, Budget>();

  constructor(private readonly repository: RateLimitRepository) {}

  /** Lets a request through, or refuses it: 429 with the seconds after which it is worth trying again. */
  async take(subject: Subject, now = Date.now()): Promise<Allowance> {
    const budget = this.#budgetOf(subject, minuteOf(now));
    while (budget.held === 0) {
      if (budget.exhausted) throw refusal(subject, secondsLeft(now));
      // Requests that come together wait for one lease.
      await (budget.lease ??= this.#lease(budget, subject, minuteOf(now)));
    }
    budget.held -= 1;
    return { remaining: budget.held + budget.left, reset: secondsLeft(now) };
  }

  #budgetOf(subject: Subject, minute: number): Budget {
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#budgets = new Map();
    }
    const key = `${subject.site_id} ${subject.kind} ${subject.client_id}`;
    const known = this.#budgets.get(key);
    if (known !== undefined) return known;
    const budget: Budget = { held: 0, left: 0, exhausted: false, lease: undefined };
    this.#budgets.set(key, budget);
    return budget;
  }

  async #lease(budget: Budget, subject: Subject, minute: number): Promise<void> {
    try {
      const { granted, left } = await this.repository.lease(subject, minute);
      budget.held += granted;
      budget.left = left;
      budget.exhausted = granted === 0;
    } finally {
      budget.lease = undefined;
    }
  }
}

function refusal({ kind }: Subject, retryAfter: number): Outcome {
  return new Outcome('rate_limited', `More than ${QUOTAS[kind]} ${kind} requests in this minute`, { retryAfter });
}
