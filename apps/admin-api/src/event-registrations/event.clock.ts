import { PeriodicTask, RunsInBackground } from '@lyceum/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { SeatingService } from './seating.service.js';

const PERIOD_MS = 30_000;
const BATCH = 100;

/** Starts and ends events within about half a minute of their times. Every replica runs it; others find no rows. */
@RunsInBackground()
@Injectable()
export class EventClock implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger(EventClock.name);
  readonly #turns = new PeriodicTask(
    PERIOD_MS,
    (signal) => this.#run(signal),
    (error) => this.#log.warn(`Events did not follow the clock: ${String(error)}`),
  );

  constructor(private readonly seating: SeatingService) {}

  onApplicationBootstrap(): void {
    this.#turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#turns.stop();
  }

  async #run(signal: AbortSignal): Promise<void> {
    // An event with many registrations is due again until all of them are settled.
    while (!signal.aborted && (await this.seating.followClock(BATCH)) > 0);
  }
}
