import { setTimeout as sleep } from 'node:timers/promises';
import { Outbox } from '@lyceum/messaging';
import { PeriodicTask, RunsInBackground, isDatabaseUnavailable } from '@lyceum/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { WebhookEndpointService } from '#src/webhook-endpoints/webhook-endpoint.service.js';
import { DELIVERY_LIMITS, disablesFor, hasSucceeded, pauseAfter } from './webhook-delivery.policy.js';
import type { Attempt } from './webhook-delivery.policy.js';
import { WebhookQueueRepository } from './webhook-queue.repository.js';
import type { Batch, DueDelivery, Lane, RecordedAttempt, TurnEnd } from './webhook-queue.repository.js';
import { WebhookMetrics } from './webhook.metrics.js';
import { WebhookSender } from './webhook.sender.js';

/** From one look for due endpoints to the next, when nothing is sent and while something is. */
const PAUSE_MS = 500;
const BUSY_PAUSE_MS = 100;

/**
 * Sends the deliveries that are due, in every replica. An endpoint has one batch at a time, so a slow one delays itself
 * alone; endpoints that fail have a limited number of places, so they take none of the others.
 */
@RunsInBackground()
@Injectable()
export class WebhookDispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger(WebhookDispatcher.name);
  readonly #running: Readonly<Record<Lane, Set<Promise<void>>>> = { healthy: new Set(), failing: new Set() };
  readonly #turns = new PeriodicTask(
    WebhookDispatcher.name,
    PAUSE_MS,
    (signal) => this.#run(signal),
    (error) => this.#failed(error),
    'queue',
  );

  constructor(
    private readonly queues: WebhookQueueRepository,
    private readonly sender: WebhookSender,
    private readonly endpoints: WebhookEndpointService,
    private readonly outbox: Outbox,
    private readonly metrics: WebhookMetrics,
  ) {}

  onApplicationBootstrap(): void {
    this.#turns.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#turns.stop();
    await Promise.all(this.#batches());
  }

  /** Claims and sends until nothing is due and nothing is being sent. */
  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const started = await this.#claim();
      const batches = this.#batches();
      if (batches.length === 0) return;
      // A finished batch frees its place, and its endpoint may have more.
      if (started === 0) await Promise.race([sleep(BUSY_PAUSE_MS), ...batches]);
    }
  }

  async #claim(): Promise<number> {
    const [healthy, failing] = [this.#free('healthy'), this.#free('failing')];
    if (healthy + failing === 0) return 0;
    const claimed = await this.queues.claim({ healthy, failing });
    for (const batch of claimed) {
      const running = this.#running[batch.failing_since === null ? 'healthy' : 'failing'];
      const work = this.deliver(batch)
        .catch((error: unknown) => this.#failed(error))
        .finally(() => running.delete(work));
      running.add(work);
    }
    return claimed.length;
  }

  /** Places of a lane that no batch has. */
  #free(lane: Lane): number {
    return DELIVERY_LIMITS.endpoints[lane] - this.#running[lane].size;
  }

  /** Sends a batch, and records its attempts. A batch whose lease has ended is recorded by the replica that has it. */
  async deliver(batch: Batch): Promise<void> {
    const attempts = batch.state === 'enabled' ? await this.sender.send(batch) : new Map<DueDelivery, Attempt>();
    const made = [...attempts.values()];
    const recorded = [...attempts].map(([delivery, attempt]) => recordOf(delivery, attempt));
    this.metrics.attempted(recorded);
    const end = {
      succeeded: made.some(hasSucceeded),
      wakes: batch.state === 'enabled',
      asked: made.reduce<number | null>(
        (most, { asked }) => (asked === null ? most : Math.max(asked, most ?? 0)),
        null,
      ),
    };
    const reason = disablesFor(made, batch.failing_since, new Date());
    if (reason === undefined) await this.queues.record(batch, recorded, end);
    else await this.#disable(batch, recorded, end, reason);
  }

  async #disable(
    batch: Batch,
    recorded: readonly RecordedAttempt[],
    end: TurnEnd,
    reason: 'gone' | 'failing',
  ): Promise<void> {
    const { site_id, id } = batch;
    await this.outbox.transaction(async (tx) => {
      // Before the queue, as operators lock them.
      const isEnabled = await this.endpoints.isEnabled(tx, { site_id, id });
      const isHeld = await this.queues.record(batch, recorded, end, tx);
      if (isEnabled && isHeld) await this.endpoints.disable({ site_id }, { id }, reason, tx);
    });
  }

  #batches(): Promise<void>[] {
    return Object.values(this.#running).flatMap((running) => [...running]);
  }

  #failed(error: unknown): void {
    // Readiness shows an unavailable database. The batch is sent again after its lease.
    if (!isDatabaseUnavailable(error)) this.#log.error({ msg: 'webhooks were not delivered', err: error });
  }
}

function recordOf({ id, attempts: made }: DueDelivery, { status, error, ms, asked, body }: Attempt): RecordedAttempt {
  const succeeded = hasSucceeded({ status });
  const retry_seconds = succeeded ? null : pauseAfter(made + 1, asked);
  const ended = succeeded ? 'succeeded' : 'failed';
  const state = retry_seconds === null ? ended : 'pending';
  return { id, state, retry_seconds, response_status: status, response_ms: ms, error, response_body: body };
}
