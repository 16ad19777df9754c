import type { ModuleRef } from '@nestjs/core';
import { RateLimiter } from '@lyceum/rate-limit';
import type { Allowance, Limit } from '@lyceum/rate-limit';

/** The limiter of the service, which a test can replace with an empty one. */
export class ResettableLimiter implements Pick<RateLimiter, keyof RateLimiter> {
  #limiter: RateLimiter | undefined;

  constructor(private readonly module: ModuleRef) {}

  reset(): void {
    this.#limiter = undefined;
  }

  async take(limit: Limit, subject: string, cost?: number): Promise<Allowance> {
    return (await this.#current()).take(limit, subject, cost);
  }

  async secondsToWait(limit: Limit, subject: string): Promise<number | undefined> {
    return (await this.#current()).secondsToWait(limit, subject);
  }

  giveBack(limit: Limit, subject: string): void {
    this.#limiter?.giveBack(limit, subject);
  }

  refuseExhausted(limit: Limit, subject: string): void {
    this.#limiter?.refuseExhausted(limit, subject);
  }

  async #current(): Promise<RateLimiter> {
    const limiter = this.#limiter ?? (await this.module.create(RateLimiter));
    return (this.#limiter ??= limiter);
  }
}
