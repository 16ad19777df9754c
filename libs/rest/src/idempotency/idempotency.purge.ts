import { PeriodicTask, RunsInBackground } from '@lyceum/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { IdempotencyRepository } from './idempotency.repository.js';

const PERIOD_MS = 10 * 60_000;
/** Keys per statement, and statements per run. */
const BATCH = 1_000;
const MAX_BATCHES = 100;

/** Deletes idempotency keys after 24 hours. Concurrent replicas skip each other's rows. */
@RunsInBackground()
@Injectable()
export class IdempotencyPurge implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger(IdempotencyPurge.name);
  readonly #turns = new PeriodicTask(
    PERIOD_MS,
    (signal) => this.run(signal),
    (error) => this.#log.warn(`Old idempotency keys were not forgotten: ${String(error)}`),
  );

  constructor(
    private readonly dataSource: DataSource,
    private readonly keys: IdempotencyRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.#turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#turns.stop();
  }

  /** Deletes expired keys. Returns their number. */
  async run(signal?: AbortSignal): Promise<number> {
    let purged = 0;
    for (let batch = 0; batch < MAX_BATCHES && signal?.aborted !== true; batch += 1) {
      const count = await this.keys.purge(this.dataSource.manager, BATCH);
      purged += count;
      if (count < BATCH) break;
    }
    return purged;
  }
}
