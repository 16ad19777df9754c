import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { pause } from './backoff.js';
import { InboxRepository } from './inbox.repository.js';
import { LIMITS } from './limits.js';

/** Removes inbox rows that no delivery can meet any more, a small batch at a time. */
@Injectable()
export class InboxSweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(InboxSweeper.name);
  readonly #inbox: InboxRepository;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(inbox: InboxRepository) {
    this.#inbox = inbox;
  }

  onApplicationBootstrap(): void {
    this.#running = this.#run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      // The time between sweeps varies, so that replicas do not meet.
      await pause(LIMITS.inboxSweep * (0.5 + Math.random()), signal);
      try {
        while (!signal.aborted && (await this.#inbox.sweep()) === LIMITS.inboxSweepBatch);
      } catch (error) {
        this.#logger.warn({ msg: 'the inbox could not be swept', err: error });
      }
    }
  }
}
