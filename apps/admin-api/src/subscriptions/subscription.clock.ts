import { PeriodicTask, RunsInBackground } from '@lyceum/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { SubscriptionUpkeep } from './subscription.upkeep.js';

const PERIOD_MS = 30_000;
const BATCH = 100;

/** Ends trials and periods within half a minute of their time. Each replica runs it; the second finds no rows. */
@RunsInBackground()
@Injectable()
export class SubscriptionClock implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger(SubscriptionClock.name);
  readonly #turns = new PeriodicTask(
    PERIOD_MS,
    (signal) => this.#run(signal),
    (error) => this.#log.warn(`Subscriptions did not follow the clock: ${String(error)}`),
  );

  constructor(private readonly upkeep: SubscriptionUpkeep) {}

  onApplicationBootstrap(): void {
    this.#turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#turns.stop();
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.upkeep.followClock(new Date(), BATCH)) === BATCH);
    while (!signal.aborted && (await this.upkeep.followPlans(BATCH)));
  }
}
