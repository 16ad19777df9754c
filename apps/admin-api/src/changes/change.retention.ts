import { MonthlyPartitions, PeriodicWork } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { oldestKept } from './change.policy.js';
import { ChangeRepository } from './change.repository.js';

const PERIOD_MS = 6 * 3_600_000;
const MONTHS_AHEAD = 2;
/** A change is recorded after its event, at most some days later. */
const LATE_MS = 7 * 86_400_000;

/** Makes the partitions of the feed ahead of time, and drops what no reader can see any more. */
@Injectable()
export class ChangeRetention extends PeriodicWork {
  readonly #partitions: MonthlyPartitions;

  constructor(
    dataSource: DataSource,
    private readonly changes: ChangeRepository,
  ) {
    super(PERIOD_MS, 'the partitions of the changes were not maintained');
    this.#partitions = new MonthlyPartitions(dataSource, {
      name: 'changes',
      key: { column: 'created_at', type: 'instant' },
      appendOnly: 'changes_are_append_only',
    });
  }

  async run(): Promise<void> {
    await this.maintain(await this.#partitions.now());
  }

  async maintain(at: Date): Promise<void> {
    await this.changes.forgetTeachers(new Date(oldestKept(at).getTime() - LATE_MS));
    await this.#partitions.prepare(MONTHS_AHEAD, at);
    for (const name of await this.#partitions.expire(oldestKept(at))) this.logger.log(`${name} was dropped`);
  }
}
