import { MonthlyPartitions, PeriodicWork } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ActivitySettings } from './activity.settings.js';

const PERIOD_MS = 6 * 3_600_000;
const MONTHS_AHEAD = 3;
const DAY_MS = 86_400_000;

/** Makes the partitions of the log ahead of time, and drops those that the deployment does not keep. */
@Injectable()
export class ActivityRetention extends PeriodicWork {
  readonly #partitions: MonthlyPartitions;

  constructor(
    dataSource: DataSource,
    private readonly settings: ActivitySettings,
  ) {
    super(PERIOD_MS, 'the partitions of the activity log were not maintained');
    this.#partitions = new MonthlyPartitions(dataSource, {
      name: 'activity',
      key: { column: 'created_at', type: 'instant' },
      appendOnly: 'activity_is_append_only',
    });
  }

  async run(): Promise<void> {
    await this.maintain(await this.#partitions.now());
  }

  async maintain(at: Date): Promise<void> {
    await this.#partitions.prepare(MONTHS_AHEAD, at);
    const { days } = this.settings;
    if (days === 0) return;
    for (const name of await this.#partitions.expire(new Date(at.getTime() - days * DAY_MS)))
      this.logger.log(`${name} was dropped: its entries are older than ${days} days`);
  }
}
