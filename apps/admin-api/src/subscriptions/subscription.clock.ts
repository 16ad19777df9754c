import { PeriodicWork } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { SubscriptionUpkeep } from './subscription.upkeep.js';

const PERIOD_MS = 30_000;
const BATCH = 100;

/** Ends trials and periods within half a minute of their time. Each replica runs it, with different rows. */
@Injectable()
export class SubscriptionClock extends PeriodicWork {
  constructor(private readonly upkeep: SubscriptionUpkeep) {
    super(PERIOD_MS, 'Subscriptions did not follow the clock');
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.upkeep.followClock(new Date(), BATCH)) > 0);
    while (!signal.aborted && (await this.upkeep.followPlans(BATCH)));
  }
}
