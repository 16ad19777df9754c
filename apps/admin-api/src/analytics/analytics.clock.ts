import { PeriodicTask, RunsInBackground } from '@lyceum/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { RollupService } from './rollup.service.js';

const PERIOD_MS = 5_000;

/** Counts marked quarters again within seconds. Each replica tries; one at a time counts. */
@RunsInBackground()
@Injectable()
export class AnalyticsClock implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger(AnalyticsClock.name);
  readonly #turns = new PeriodicTask(
    PERIOD_MS,
    (signal) => this.#run(signal),
    (error) => this.#log.warn(`Analytics did not follow the changes: ${String(error)}`),
  );

  constructor(private readonly rollups: RollupService) {}

  onApplicationBootstrap(): void {
    this.#turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#turns.stop();
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.rollups.follow()));
  }
}
