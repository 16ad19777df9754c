import { Injectable } from '@nestjs/common';
import { JobMetrics, JobWorker } from '@lyceum/jobs';
import type { Job } from '@lyceum/jobs';
import { FanOutsQueue } from './fan-outs.queue.js';
import type { ClaimedFanOut } from './fan-outs.queue.js';
import { FanOutsService } from './fan-outs.service.js';

const PAUSE_MS = 500;
/** Recipients per transaction; a transaction takes some tens of milliseconds. */
const BATCH = 500;

/** Delivers fan-outs batch by batch, so that the consumers of events are not blocked. */
@Injectable()
export class FanOutsWorker extends JobWorker<ClaimedFanOut> {
  constructor(
    queue: FanOutsQueue,
    metrics: JobMetrics,
    private readonly fanOuts: FanOutsService,
  ) {
    super(queue, metrics, PAUSE_MS);
  }

  protected override run(fanOut: Job<ClaimedFanOut>): Promise<void> {
    return this.fanOuts.deliver(fanOut, BATCH);
  }
}
