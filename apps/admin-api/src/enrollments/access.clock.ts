import { PeriodicWork } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { AccessService } from './access.service.js';
import { waitedTooLong } from './enrollment.repository.js';
import type { CourseKey } from './enrollment.repository.js';

const PERIOD_MS = 30_000;
const BATCH = 100;

/** Begins and ends access within about half a minute of its time. Every replica runs it, with different courses. */
@Injectable()
export class AccessClock extends PeriodicWork {
  constructor(private readonly access: AccessService) {
    super(PERIOD_MS, 'Enrollments did not follow the clock');
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#follow(signal);
    // Requests and imports can lock a course one after the other, so that a turn never finds it free.
    for (const course of await this.access.dueCourses()) {
      await this.#follow(signal, course).catch((error: unknown) => {
        // The next turn tries again.
        if (!waitedTooLong(error)) throw error;
      });
    }
  }

  async #follow(signal: AbortSignal, course?: CourseKey): Promise<void> {
    while (!signal.aborted && (await this.access.followClock(BATCH, course)) === BATCH);
  }
}
