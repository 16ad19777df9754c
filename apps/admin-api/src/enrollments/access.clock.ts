import { PeriodicTask, RunsInBackground } from '@lyceum/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { AccessService } from './access.service.js';

const PERIOD_MS = 30_000;
const BATCH = 100;

/** Begins and ends access within about half a minute of its time. Every replica runs it; the second finds no rows. */
@RunsInBackground()
@Injectable()
export class AccessClock implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger(AccessClock.name);
  readonly #turns = new PeriodicTask(
    PERIOD_MS,
    (signal) => this.#run(signal),
    (error) => this.#log.warn(`Enrollments did not follow the clock: ${String(error)}`),
  );

  constructor(private readonly access: AccessService) {}

  onApplicationBootstrap(): void {
    this.#turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#turns.stop();
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.access.followClock(BATCH)) === BATCH);
  }
}
