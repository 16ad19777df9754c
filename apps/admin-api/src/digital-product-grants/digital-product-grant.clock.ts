import { PeriodicWork } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { DigitalProductGrantService } from './digital-product-grant.service.js';

const PERIOD_MS = 30_000;
const BATCH = 100;

/** Expires grants within about half a minute of their end. Every replica runs it; the second finds no rows. */
@Injectable()
export class DigitalProductGrantClock extends PeriodicWork {
  constructor(private readonly grants: DigitalProductGrantService) {
    super(PERIOD_MS, 'Purchases of digital products did not follow the clock');
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.grants.followClock(BATCH)) > 0);
  }
}
