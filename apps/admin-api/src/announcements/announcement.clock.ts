import { PeriodicTask, RunsInBackground } from '@lyceum/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { AnnouncementService } from './announcement.service.js';

const PERIOD_MS = 30_000;
const BATCH = 100;

/** Sends scheduled announcements within about half a minute of their times. Every replica runs it. */
@RunsInBackground()
@Injectable()
export class AnnouncementClock implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger(AnnouncementClock.name);
  readonly #turns = new PeriodicTask(
    PERIOD_MS,
    (signal) => this.#run(signal),
    (error) => this.#log.warn(`Announcements did not follow the clock: ${String(error)}`),
  );

  constructor(private readonly announcements: AnnouncementService) {}

  onApplicationBootstrap(): void {
    this.#turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#turns.stop();
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.announcements.followClock(BATCH)) === BATCH);
  }
}
