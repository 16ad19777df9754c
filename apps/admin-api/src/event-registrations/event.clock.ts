import { PeriodicWork } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { SeatingService } from './seating.service.js';

const PERIOD_MS = 30_000;
const BATCH = 100;

/** Starts and ends events within about half a minute of their times. Every replica runs it; others find no rows. */
@Injectable()
export class EventClock extends PeriodicWork {
  constructor(private readonly seating: SeatingService) {
    super(PERIOD_MS, 'Events did not follow the clock');
  }

  async run(signal: AbortSignal): Promise<void> {
    // An event with many registrations is due again until all of them are settled.
    while (!signal.aborted && (await this.seating.followClock(BATCH)) > 0);
  }
}
