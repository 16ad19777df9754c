import { PeriodicWork } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { AccessService } from './access.service.js';

const PERIOD_MS = 30_000;
const BATCH = 100;

/** Begins and ends access within about half a minute of its time. Every replica runs it, with different courses. */
@Injectable()
export class AccessClock extends PeriodicWork {
  constructor(private readonly access: AccessService) {
    super(PERIOD_MS, 'Enrollments did not follow the clock');
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.access.followClock(BATCH)) === BATCH);
  }
}
