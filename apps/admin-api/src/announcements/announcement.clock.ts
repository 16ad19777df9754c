import { PeriodicWork } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { AnnouncementService } from './announcement.service.js';

const PERIOD_MS = 30_000;
const BATCH = 100;

/** Sends scheduled announcements within about half a minute of their times. Every replica runs it. */
@Injectable()
export class AnnouncementClock extends PeriodicWork {
  constructor(private readonly announcements: AnnouncementService) {
    super(PERIOD_MS, 'Announcements did not follow the clock');
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.announcements.followClock(BATCH)) === BATCH);
  }
}
