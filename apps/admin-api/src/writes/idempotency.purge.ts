import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { IdempotencyRepository } from './idempotency.repository.js';

const PERIOD_MS = 10 * 60_000;
/** Keys forgotten by one statement, and statements in one turn. */
const BATCH = 1_000;
const MAX_BATCHES = 100;

/** Forgets keys that are past their 24 hours. Replicas that do it at one time skip each other's rows. */
@Injectable()
export class IdempotencyPurge implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger(IdempotencyPurge.name);
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly keys: IdempotencyRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => void this.#turn(), PERIOD_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  /** The number of keys that it forgot. */
  async run(): Promise<number> {
    let purged = 0;
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const count = await this.keys.purge(this.dataSource.manager, BATCH);
      purged += count;
      if (count < BATCH) break;
    }
    return purged;
  }

  async #turn(): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      this.#log.warn(`Old idempotency keys were not forgotten: ${String(error)}`);
    }
  }
}
