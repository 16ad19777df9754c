import { Outbox } from '@lyceum/messaging';
import { MetricsRegistry, PeriodicTask, RunsInBackground } from '@lyceum/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { FileChecks } from './file.checks.js';
import type { FileRow } from './file.repository.js';
import { FileService } from './file.service.js';

const PERIOD_MS = 30_000;
/** Most stores charge for lists of files. */
const FORGOTTEN_PERIOD_MS = 3_600_000;
/** Files that one run deletes. */
const BATCH = 200;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Checks large files after their upload, and deletes files that nothing uses. Replicas skip each other's rows. */
@RunsInBackground()
@Injectable()
export class FileSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(FileSweep.name);
  readonly #tried: (result: string) => void;
  readonly #tasks = [
    new PeriodicTask(FileSweep.name, PERIOD_MS, (signal) => this.run(signal), this.#failed.bind(this)),
    new PeriodicTask(
      `${FileSweep.name}.forgotten`,
      FORGOTTEN_PERIOD_MS,
      (signal) => this.checks.discardForgotten(signal),
      this.#failed.bind(this),
    ),
  ];

  constructor(
    private readonly outbox: Outbox,
    private readonly files: FileService,
    private readonly checks: FileChecks,
    metrics: MetricsRegistry,
  ) {
    const help = 'Deletions of files that nothing uses, by result';
    this.#tried = metrics.counter('file_deletions_total', help, 'result', ['deleted', 'failed']);
  }

  onApplicationBootstrap(): void {
    for (const task of this.#tasks) task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.#tasks.map((task) => task.stop()));
  }

  async run(signal?: AbortSignal): Promise<void> {
    await this.#checkUploaded(signal);
    for (let swept = 0; swept < BATCH && signal?.aborted !== true; swept += 1) {
      if (!(await this.#removeNext())) break;
    }
  }

  /** Returns false when no expired file is left. A file that cannot be deleted does not stop the others. */
  async #removeNext(): Promise<boolean> {
    const file = await this.files.takeExpired();
    if (file === undefined) return false;
    try {
      await this.files.discard(file);
      await this.outbox.transaction((tx) => this.files.remove(tx, file));
      this.#tried('deleted');
    } catch (error) {
      this.#tried('failed');
      this.#logger.warn({ msg: 'a file was not deleted', ...file, err: error });
    }
    return true;
  }

  #failed(error: unknown): void {
    this.#logger.warn({ msg: 'files were not swept', err: error });
  }

  async #checkUploaded(signal: AbortSignal | undefined): Promise<void> {
    let after: FileRow = { site_id: FIRST, id: FIRST };
    while (signal?.aborted !== true) {
      const file: FileRow | undefined = await this.files.nextUploaded(after);
      if (file === undefined) return;
      after = file;
      // The failure of one file does not stop the others.
      await this.#check(file).catch((error: unknown) =>
        this.#logger.warn({ msg: 'a file was not checked', ...file, err: error }),
      );
    }
  }

  async #check(file: FileRow): Promise<void> {
    await this.outbox.transaction(await this.files.recheck(file));
  }
}
