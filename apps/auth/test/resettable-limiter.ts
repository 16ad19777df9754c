import type { ModuleRef } from '@nestjs/core';
import { RateLimiter } from '@lyceum/rate-limit';
import type { Allowance, Limit } from '@lyceum/rate-limit';

/** The limiter of the service, which a test can replace with an empty one, and of which it can spend units. */
export class ResettableLimiter implements Pick<RateLimiter, keyof RateLimiter> {
  #limiter: RateLimiter | undefined;
  /** Units by the name of a limit. */
  readonly #spent = new Map<string, number>();

  constructor(private readonly module: ModuleRef) {}

  reset(): void {
    this.#limiter = undefined;
  }

  /** The next subject of the limit has spent this many units already. */
  spend(name: string, units: number): void {
    this.#spent.set(name, units);
  }

  async take(limit: Limit, subject: string, cost?: number): Promise<Allowance> {
    return (await this.#afterSpent(limit, subject)).take(limit, subject, cost);
  }

  async secondsToWait(limit: Limit, subject: string): Promise<number | undefined> {
    return (await this.#afterSpent(limit, subject)).secondsToWait(limit, subject);
  }

  giveBack(limit: Limit, subject: string): void {
    this.#limiter?.giveBack(limit, subject);
  }

  refuseExhausted(limit: Limit, subject: string): void {
    this.#limiter?.refuseExhausted(limit, subject);
  }

  async #afterSpent(limit: Limit, subject: string): Promise<RateLimiter> {
    const limiter = await this.#current();
    const spent = this.#spent.get(limit.name);
    this.#spent.delete(limit.name);
    if (spent !== undefined) await limiter.take(limit, subject, spent);
    return limiter;
  }

  async #current(): Promise<RateLimiter> {
    const limiter = this.#limiter ?? (await this.module.create(RateLimiter));
    return (this.#limiter ??= limiter);
  }
}
