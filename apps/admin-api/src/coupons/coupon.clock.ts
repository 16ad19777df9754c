import { PeriodicTask, RunsInBackground } from '@lyceum/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { CouponService } from './coupon.service.js';

const PERIOD_MS = 30_000;
const BATCH = 100;

/** Lists coupons that begin or end by their new state within about half a minute. Every replica runs it. */
@RunsInBackground()
@Injectable()
export class CouponClock implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger(CouponClock.name);
  readonly #turns = new PeriodicTask(
    PERIOD_MS,
    (signal) => this.#run(signal),
    (error) => this.#log.warn(`Coupons did not follow the clock: ${String(error)}`),
  );

  constructor(private readonly coupons: CouponService) {}

  onApplicationBootstrap(): void {
    this.#turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#turns.stop();
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.coupons.followClock(BATCH)) === BATCH);
  }
}
