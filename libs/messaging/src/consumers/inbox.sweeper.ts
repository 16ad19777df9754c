import { PeriodicTask, RunsInBackground } from '@lyceum/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { InboxRepository } from './inbox.repository.js';
import { LIMITS } from '../connection/limits.js';

/** Deletes inbox rows that no delivery can need, a small batch at a time. */
@RunsInBackground()
@Injectable()
export class InboxSweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(InboxSweeper.name);
  readonly #inbox: InboxRepository;
  readonly #sweeps = new PeriodicTask(
    LIMITS.inboxSweep,
    (signal) => this.#sweep(signal),
    (error) => this.#logger.warn({ msg: 'the inbox could not be swept', err: error }),
  );

  constructor(inbox: InboxRepository) {
    this.#inbox = inbox;
  }

  onApplicationBootstrap(): void {
    this.#sweeps.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#sweeps.stop();
  }

  async #sweep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.#inbox.sweep()) === LIMITS.inboxSweepBatch);
  }
}
