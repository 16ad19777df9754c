import { PeriodicWork } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { WebhookEndpointService } from '#src/webhook-endpoints/webhook-endpoint.service.js';
import { WebhookQueueRepository } from './webhook-queue.repository.js';

const PERIOD_MS = 15 * 60_000;
const BATCH = 1_000;

/** Deletes deliveries after 30 days, and rotated secrets after theirs. Every replica runs it. */
@Injectable()
export class WebhookSweep extends PeriodicWork {
  constructor(
    private readonly queues: WebhookQueueRepository,
    private readonly endpoints: WebhookEndpointService,
  ) {
    super(PERIOD_MS, 'webhook deliveries were not swept');
  }

  async run(signal?: AbortSignal): Promise<void> {
    await this.endpoints.forgetPreviousSecrets();
    while (signal?.aborted !== true && (await this.queues.forget(BATCH)) === BATCH);
  }
}
