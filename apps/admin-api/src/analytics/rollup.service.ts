import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { RollupRepository, tookTooLong } from './rollup.repository.js';

const BATCH = 1_000;
const WAIT_MS = 200;

/** Keeps the rollups, in the service and in the command that rebuilds them. */
@Injectable()
export class RollupService {
  /** Marks of the next fold. A fold that takes too long stops all sites, so the next one takes half as many. */
  #limit = BATCH;

  constructor(private readonly repository: RollupRepository) {}

  /** Counts some marked quarters again. Returns false when no more marks are left, or another replica counts. */
  async follow(): Promise<boolean> {
    return (await this.#fold()) ?? false;
  }

  /** Counts everything again, while the service runs. Returns the number of marks. */
  async rebuild(): Promise<{ readonly quarters: number }> {
    const quarters = await this.repository.markAll();
    for (;;) {
      const isMore = await this.#fold();
      if (isMore === undefined) await sleep(WAIT_MS);
      else if (!isMore) return { quarters };
    }
  }

  /** Returns whether marks may be left. Undefined: another replica counts. */
  async #fold(): Promise<boolean | undefined> {
    const limit = this.#limit;
    try {
      const folded = await this.repository.fold(limit);
      if (folded === undefined) return undefined;
      this.#limit = Math.min(2 * limit, BATCH);
      return folded === limit;
    } catch (error) {
      if (!tookTooLong(error)) throw error;
      if (limit === 1) await this.#postpone(error);
      this.#limit = Math.floor(limit / 2);
      return true;
    }
  }

  /** @throws an error that names the quarter */
  async #postpone(cause: unknown): Promise<never> {
    const { site_id, rollup, quarter } = (await this.repository.postpone()) ?? {};
    throw new Error(`The ${rollup} of ${site_id} at ${quarter?.toISOString()} take too long to count`, { cause });
  }
}
