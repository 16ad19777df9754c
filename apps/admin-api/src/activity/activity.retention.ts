import { MonthlyPartitions, PeriodicTask, RunsInBackground } from '@lyceum/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ActivitySettings } from './activity.settings.js';

const PERIOD_MS = 6 * 3_600_000;
const MONTHS_AHEAD = 3;
const DAY_MS = 86_400_000;

/** Makes the partitions of the log ahead of time, and drops those that the deployment does not keep. */
@RunsInBackground()
@Injectable()
export class ActivityRetention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(ActivityRetention.name);
  readonly #partitions: MonthlyPartitions;
  readonly #turns = new PeriodicTask(
    ActivityRetention.name,
    PERIOD_MS,
    () => this.run(),
    (error) => this.#logger.warn(`The partitions of the activity log were not maintained: ${String(error)}`),
  );

  constructor(
    dataSource: DataSource,
    private readonly settings: ActivitySettings,
  ) {
    this.#partitions = new MonthlyPartitions(dataSource, {
      name: 'activity',
      key: { column: 'created_at', type: 'instant' },
      appendOnly: 'activity_is_append_only',
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
    await this.#partitions.prepare(MONTHS_AHEAD, at);
    const { days } = this.settings;
    if (days === 0) return;
    for (const name of await this.#partitions.expire(new Date(at.getTime() - days * DAY_MS)))
      this.#logger.log(`${name} was dropped: its entries are older than ${days} days`);
  }
}
