import { JobMetrics, JobWorker } from '@lyceum/jobs';
import type { Job } from '@lyceum/jobs';
import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import { WebhookErasureQueue } from './webhook-erasure.queue.js';
import { WebhookErasureRepository } from './webhook-erasure.repository.js';
import type { WebhookErasure } from './webhook-erasure.repository.js';

const PAUSE_MS = 1_000;

/** Searches the responses of receivers for removed members, one piece per run, outside of their removal. */
@Injectable()
export class WebhookErasureWorker extends JobWorker<WebhookErasure> {
  constructor(
    queue: WebhookErasureQueue,
    metrics: JobMetrics,
    private readonly outbox: Outbox,
    private readonly erasures: WebhookErasureRepository,
  ) {
    super(queue, metrics, PAUSE_MS);
  }

  protected override async run(job: Job<WebhookErasure>): Promise<void> {
    await this.outbox.transaction(async (tx) => {
      if (await this.erasures.searchNext(tx, job)) return this.queue.again(job, tx);
      await this.queue.end(job, tx);
      await this.erasures.forget(tx, job);
    });
  }
}
