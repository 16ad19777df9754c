import { ApiError } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import { keyOf, refusal, storedKey } from './limit.js';
import type { Allowance, Limit } from './limit.js';
import { RateWindows } from './rate-windows.js';

/** Windows in memory; above it the oldest is dropped and leased again from the store. */
const WINDOWS = 50_000;

/** The window of a subject in this replica. */
interface Account {
  /** Leased units that are not used yet. */
  held: number;
  /** Units that no replica had leased at the last lease. */
  left: number;
  /** Units granted without a lease; the first lease includes them. */
  unshared: number;
  exhausted: boolean;
  /** Monotonic milliseconds: the end of the window. */
  until: number;
  lease: Promise<void> | undefined;
}

/**
 * Counts by leases: a replica leases a part of a window's remaining units from the store (PostgreSQL, or NATS) and
 * grants them itself. All replicas together never lease more than the limit, and a refused request costs no lease. A
 * replica may refuse while another one still has units, at most an eighth of the limit. A request passes while units
 * are left, even if it costs more; the following windows pay for the rest.
 */
@Injectable()
export class RateLimiter {
  readonly #accounts = new Map<string, Account>();

  constructor(private readonly windows: RateWindows) {}

  /**
   * Takes `cost` units of the window of the subject. Returns a promise only if a lease is needed.
   *
   * @throws ApiError `rate_limited`, with the seconds until the window ends
   */
  take(limit: Limit, subject: string, cost = 1): Allowance | Promise<Allowance> {
    const key = keyOf(limit, subject);
    const account = this.#accountOf(key, limit);
    return give(account, limit, cost) ?? this.#leaseAndGive(key, account, limit, cost);
  }

  /** Takes a unit. Returns undefined if it was taken, otherwise the seconds until the window ends. */
  async secondsToWait(limit: Limit, subject: string): Promise<number | undefined> {
    try {
      await this.take(limit, subject);
      return undefined;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'rate_limited') return error.retryAfter;
      throw error;
    }
  }

  /** Returns taken units to the window, which this replica can grant again. */
  giveBack(limit: Limit, subject: string, units = 1): void {
    const account = this.#accounts.get(keyOf(limit, subject));
    if (account === undefined || performance.now() >= account.until) return;
    account.held += Math.max(0, Math.min(units, limit.hits - account.held - account.left));
  }

  /**
   * Refuses a subject whose window this replica has seen exhausted. It is for limits on failures, which are counted
   * afterwards, so it takes no unit and needs no lease.
   *
   * @throws ApiError `rate_limited`, with the seconds until the window ends
   */
  refuseExhausted(limit: Limit, subject: string): void {
    const account = this.#accounts.get(keyOf(limit, subject));
    if (account === undefined || !account.exhausted || account.held > 0) return;
    const left = account.until - performance.now();
    if (left > 0) throw refusal(limit, Math.ceil(left / 1000));
  }

  async #leaseAndGive(key: string, account: Account, limit: Limit, cost: number): Promise<Allowance> {
    for (;;) {
      // Concurrent requests wait for the same lease.
      await (account.lease ??= this.#lease(key, account, limit, cost));
      const allowance = give(account, limit, cost);
      if (allowance !== undefined) return allowance;
    }
  }

  async #lease(key: string, account: Account, limit: Limit, cost: number): Promise<void> {
    try {
      const { granted, spent, msLeft } = await this.windows.lease({
        key: storedKey(key),
        needed: account.unshared + cost - account.held,
        limit: limit.hits,
        windowSeconds: limit.windowSeconds,
      });
      account.held += Math.max(0, granted - account.unshared);
      account.unshared = 0;
      account.left = Math.max(0, limit.hits - spent);
      account.exhausted = spent >= limit.hits;
      account.until = performance.now() + msLeft;
    } finally {
      account.lease = undefined;
    }
  }

  #accountOf(key: string, { hits, windowSeconds, unshared = 0 }: Limit): Account {
    const now = performance.now();
    const known = this.#accounts.get(key);
    if (known !== undefined && now < known.until) return known;
    // Inserted again, so that the map is ordered by window.
    this.#accounts.delete(key);
    const account: Account = {
      held: unshared,
      left: hits - unshared,
      unshared,
      exhausted: false,
      until: now + windowSeconds * 1000,
      lease: undefined,
    };
    this.#accounts.set(key, account);
    if (this.#accounts.size > WINDOWS) this.#accounts.delete(this.#accounts.keys().next().value ?? '');
    return account;
  }
}

/** Undefined when another lease is needed. */
function give(account: Account, limit: Limit, cost: number): Allowance | undefined {
  const resetSeconds = Math.max(1, Math.ceil((account.until - performance.now()) / 1000));
  if (account.held < cost && !account.exhausted) return undefined;
  if (account.held === 0) throw refusal(limit, resetSeconds);
  account.held = Math.max(0, account.held - cost);
  return { remaining: account.held + account.left, resetSeconds };
}
