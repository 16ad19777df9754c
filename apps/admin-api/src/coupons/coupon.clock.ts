import { PeriodicWork } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { CouponService } from './coupon.service.js';

const PERIOD_MS = 30_000;
const BATCH = 100;

/** Lists coupons that begin or end by their new state within about half a minute. Every replica runs it. */
@Injectable()
export class CouponClock extends PeriodicWork {
  constructor(private readonly coupons: CouponService) {
    super(PERIOD_MS, 'Coupons did not follow the clock');
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.coupons.followClock(BATCH)) === BATCH);
  }
}
