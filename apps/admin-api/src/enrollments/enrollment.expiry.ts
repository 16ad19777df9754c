import { Recurring } from '@lyceum/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { EnrollmentService } from './enrollment.service.js';

const PERIOD_MS = 30_000;
const BATCH = 100;

/** Ends enrollments whose time is over, within about half a minute. Every replica does it; the second one finds none. */
@Injectable()
export class EnrollmentExpiry implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger(EnrollmentExpiry.name);
  readonly #turns = new Recurring(
    PERIOD_MS,
    (signal) => this.#run(signal),
    (error) => this.#log.warn(`Enrollments were not ended: ${String(error)}`),
  );

  constructor(private readonly enrollments: EnrollmentService) {}

  onApplicationBootstrap(): void {
    this.#turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#turns.stop();
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.enrollments.expire(BATCH)) === BATCH);
  }
}
