import { PeriodicTask, RunsInBackground } from '@lyceum/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { DigitalProductGrantService } from './digital-product-grant.service.js';

const PERIOD_MS = 30_000;
const BATCH = 100;

/** Expires grants within about half a minute of their end. Every replica runs it; the second finds no rows. */
@RunsInBackground()
@Injectable()
export class DigitalProductGrantClock implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger(DigitalProductGrantClock.name);
  readonly #turns = new PeriodicTask(
    PERIOD_MS,
    (signal) => this.#run(signal),
    (error) => this.#log.warn(`Purchases of digital products did not follow the clock: ${String(error)}`),
  );

  constructor(private readonly grants: DigitalProductGrantService) {}

  onApplicationBootstrap(): void {
    this.#turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#turns.stop();
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.grants.followClock(BATCH)) === BATCH);
  }
}
