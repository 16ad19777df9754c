import { MonthlyPartitions, PeriodicTask, RunsInBackground } from '@lyceum/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { oldestReadable } from './change.policy.js';
import { ChangeRepository } from './change.repository.js';

const PERIOD_MS = 6 * 3_600_000;
const MONTHS_AHEAD = 2;
/** A change is recorded after its event, at most some days later. */
const LATE_MS = 7 * 86_400_000;

/** Makes the partitions of the feed ahead of time, and drops what no reader can see any more. */
@RunsInBackground()
@Injectable()
export class ChangeRetention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(ChangeRetention.name);
  readonly #partitions: MonthlyPartitions;
  readonly #turns = new PeriodicTask(
    ChangeRetention.name,
    PERIOD_MS,
    () => this.run(),
    (error) => this.#logger.warn(`The partitions of the changes were not maintained: ${String(error)}`),
  );

  constructor(
    dataSource: DataSource,
    private readonly changes: ChangeRepository,
  ) {
    this.#partitions = new MonthlyPartitions(dataSource, {
      name: 'changes',
      key: { column: 'created_at', type: 'instant' },
      appendOnly: 'changes_are_append_only',
    });
  }

  onApplicationBootstrap(): void {
    this.#turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#turns.stop();
  }

  /** @param given the time of a test */
  async run(given?: Date): Promise<void> {
    const at = given ?? (await this.#partitions.now());
    await this.changes.forgetTeachers(new Date(oldestReadable(at).getTime() - LATE_MS));
    await this.#partitions.prepare(MONTHS_AHEAD, at);
    for (const name of await this.#partitions.expire(oldestReadable(at))) this.#logger.log(`${name} was dropped`);
  }
}
