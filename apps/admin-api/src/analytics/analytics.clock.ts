import { PeriodicWork } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { RollupService } from './rollup.service.js';

const PERIOD_MS = 5_000;

/** Counts marked quarters again within seconds. Each replica tries; one at a time counts. */
@Injectable()
export class AnalyticsClock extends PeriodicWork {
  constructor(private readonly rollups: RollupService) {
    super(PERIOD_MS, 'Analytics did not follow the changes');
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.rollups.follow()));
  }
}
