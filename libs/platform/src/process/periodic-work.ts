import { Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask } from './periodic-task.js';
import { RunsInBackground } from './roles.js';

/**
 * A provider that does its work in turns of a schedule, from the start of the service to its shutdown. Replicas that
 * serve requests alone leave it out.
 */
@RunsInBackground()
export abstract class PeriodicWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  readonly #task: PeriodicTask;

  /** @param failure the message in the log when a turn fails */
  protected constructor(pauseMs: number, failure: string) {
    this.#task = new PeriodicTask(
      this.constructor.name,
      pauseMs,
      (signal) => this.run(signal),
      (err) => this.logger.warn({ msg: failure, err }),
    );
  }

  /** One turn. It stops early, between two of its steps, once the signal is aborted. */
  abstract run(signal: AbortSignal): Promise<unknown>;

  onApplicationBootstrap(): void {
    this.#task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#task.stop();
  }
}
