import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { HousekeepingRepository, SWEPT_TABLES } from './housekeeping.repository.js';

const PAUSE_MS = 60_000;
const BATCH = 500;
/** A backlog is worked off in several passes, so that one table cannot hold up the others. */
const BATCHES_PER_PASS = 20;

/** Removes what has expired, in small batches that lock nothing that is in use. Every replica does it. */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(Housekeeping.name);
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(private readonly repository: HousekeepingRepository) {}

  onApplicationBootstrap(): void {
    this.#running = this.#run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** One pass over all tables; how many rows went. */
  async sweep(): Promise<number> {
    let total = 0;
    for (const table of SWEPT_TABLES) {
      for (let batch = 0; batch < BATCHES_PER_PASS && !this.#stop.signal.aborted; batch += 1) {
        const gone = await this.repository.sweep(table, BATCH);
        total += gone;
        if (gone < BATCH) break;
      }
    }
    await this.repository.sweepRest(BATCH);
    return total;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await sleep(PAUSE_MS * (0.75 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.sweep();
      } catch (error) {
        this.#logger.warn(`Housekeeping was cut short: ${String(error)}`);
      }
    }
  }
}
