import { PeriodicWork } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { IdempotencyRepository } from './idempotency.repository.js';

const PERIOD_MS = 10 * 60_000;
/** Keys per statement, and statements per run. */
const BATCH = 1_000;
const MAX_BATCHES = 100;

/** Deletes idempotency keys after 24 hours. Concurrent replicas skip each other's rows. */
@Injectable()
export class IdempotencyPurge extends PeriodicWork {
  constructor(
    private readonly dataSource: DataSource,
    private readonly keys: IdempotencyRepository,
  ) {
    super(PERIOD_MS, 'Old idempotency keys were not forgotten');
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
