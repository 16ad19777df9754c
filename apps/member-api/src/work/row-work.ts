import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask, isDatabaseUnavailable } from '@lyceum/platform';

/**
 * Work that waits as rows. Every replica takes some of it, a step at a time, until a step finds none; then it looks again
 * after a pause. A step is one transaction that takes rows nobody else holds, so that replicas share and never repeat.
 */
@Injectable()
export abstract class RowWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(this.constructor.name);
  readonly #turns: PeriodicTask;

  protected constructor(pauseMs: number) {
    this.#turns = new PeriodicTask(
      pauseMs,
      (signal) => this.#turn(signal),
      (error) => {
        // Readiness tells that the database is away.
        if (!isDatabaseUnavailable(error)) this.#logger.error({ msg: 'work was put off', err: error });
      },
    );
  }

  /** False when there was nothing to do. */
  protected abstract step(): Promise<boolean>;

  onApplicationBootstrap(): void {
    this.#turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#turns.stop();
  }

  async #turn(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.step()));
  }
}
