import { PeriodicTask, RunsInBackground } from '@lyceum/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { WebhookEndpointService } from '#src/webhook-endpoints/webhook-endpoint.service.js';
import { WebhookQueueRepository } from './webhook-queue.repository.js';

const PERIOD_MS = 15 * 60_000;
const BATCH = 1_000;

/** Deletes deliveries after 30 days, and rotated secrets after theirs. Every replica runs it. */
@RunsInBackground()
@Injectable()
export class WebhookSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger(WebhookSweep.name);
  readonly #turns = new PeriodicTask(
    PERIOD_MS,
    (signal) => this.run(signal),
    (error) => this.#log.warn({ msg: 'webhook deliveries were not swept', err: error }),
  );

  constructor(
    private readonly queues: WebhookQueueRepository,
    private readonly endpoints: WebhookEndpointService,
  ) {}

  onApplicationBootstrap(): void {
    this.#turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#turns.stop();
  }

  async run(signal?: AbortSignal): Promise<void> {
    await this.endpoints.forgetPreviousSecrets();
    while (signal?.aborted !== true && (await this.queues.forget(BATCH)) === BATCH);
  }
}
