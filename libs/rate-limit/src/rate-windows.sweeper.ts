import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask, RunsInBackground } from '@lyceum/platform';
import { RateWindowsRepository } from './rate-windows.repository.js';

const PAUSE_MS = 10 * 60_000;

/** Deletes windows that ended long ago. */
@RunsInBackground()
@Injectable()
export class RateWindowsSweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(RateWindowsSweeper.name);
  readonly #sweeps: PeriodicTask;

  constructor(windows: RateWindowsRepository) {
    this.#sweeps = new PeriodicTask(
      PAUSE_MS,
      async (signal) => {
        while (!signal.aborted && (await windows.sweep()));
      },
      (error) => this.#logger.warn({ msg: 'old rate windows could not be removed', err: error }),
    );
  }

  onApplicationBootstrap(): void {
    this.#sweeps.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#sweeps.stop();
  }
}
