import type { Outbox } from '@lyceum/messaging';
import { PeriodicTask, RunsInBackground } from '@lyceum/platform';
import { Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { JobKey } from './job-rows.js';
import type { JobFiles } from './job-files.js';

const PERIOD_MS = 60_000;
/** A list of files is a paid request in most stores. */
const FORGOTTEN_PERIOD_MS = 6 * 3_600_000;

interface SweptJobs {
  removeExpired(tx: EntityManager): Promise<JobKey | undefined>;
}

/** Deletes jobs whose time is over. Replicas skip each other's rows. */
@RunsInBackground()
export abstract class FileJobSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger(this.constructor.name);
  readonly #tasks: readonly PeriodicTask[];

  protected constructor(
    kind: 'exports' | 'imports',
    private readonly outbox: Outbox,
    private readonly jobs: SweptJobs,
    private readonly files: JobFiles,
  ) {
    const failed = (error: unknown): void => this.#log.warn({ msg: `${kind} were not swept`, err: error });
    const { name } = this.constructor;
    this.#tasks = [
      new PeriodicTask(name, PERIOD_MS, (signal) => this.run(signal), failed),
      new PeriodicTask(`${name}.forgotten`, FORGOTTEN_PERIOD_MS, (signal) => files.deleteForgotten(signal), failed),
    ];
  }

  onApplicationBootstrap(): void {
    for (const task of this.#tasks) task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.#tasks.map((task) => task.stop()));
  }

  async run(signal?: AbortSignal): Promise<void> {
    while (signal?.aborted !== true) {
      const expired = await this.outbox.transaction((tx) => this.jobs.removeExpired(tx));
      if (expired === undefined) return;
      await this.files.deleteAll(expired);
    }
  }
}
