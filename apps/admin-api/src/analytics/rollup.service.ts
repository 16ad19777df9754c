import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { RollupRepository } from './rollup.repository.js';

const BATCH = 1_000;
const WAIT_MS = 200;

/** Keeps the rollups, in the service and in the command that rebuilds them. */
@Injectable()
export class RollupService {
  constructor(private readonly repository: RollupRepository) {}

  /** Counts some marked quarters again. Returns false when no more marks are left, or another replica counts. */
  async follow(): Promise<boolean> {
    return (await this.repository.fold(BATCH)) === BATCH;
  }

  /** Counts everything again, while the service runs. Returns the number of marks. */
  async rebuild(): Promise<{ readonly quarters: number }> {
    const quarters = await this.repository.markAll();
    for (;;) {
      const folded = await this.repository.fold(BATCH);
      if (folded === undefined) await sleep(WAIT_MS);
      else if (folded < BATCH) return { quarters };
    }
  }
}
