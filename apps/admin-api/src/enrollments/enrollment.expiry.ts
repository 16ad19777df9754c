import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { EnrollmentService } from './enrollment.service.js';

const PERIOD_MS = 30_000;
const BATCH = 100;

/** Ends what has run out, within half a minute. Every replica does it; the second one finds nothing left to do. */
@Injectable()
export class EnrollmentExpiry implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger(EnrollmentExpiry.name);
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(private readonly enrollments: EnrollmentService) {}

  onApplicationBootstrap(): void {
    this.#plan();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#turn;
  }

  /** One turn after the other, however long one takes; replicas drift apart. */
  #plan(): void {
    if (this.#stopped) return;
    const wait = PERIOD_MS * (0.75 + Math.random() / 2);
    this.#timer = setTimeout(() => {
      this.#turn = this.#run().then(() => this.#plan());
    }, wait).unref();
  }

  async #run(): Promise<void> {
    try {
      while (!this.#stopped && (await this.enrollments.expire(BATCH)) === BATCH);
    } catch (error) {
      this.#log.warn(`Enrolments were not ended: ${String(error)}`);
    }
  }
}
