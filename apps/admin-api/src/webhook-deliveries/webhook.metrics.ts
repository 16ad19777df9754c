import { MetricsRegistry } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import prom from 'prom-client';
import { WebhookQueueRepository } from './webhook-queue.repository.js';
import type { RecordedAttempt } from './webhook-queue.repository.js';

const RESULTS = { succeeded: 'succeeded', pending: 'retried', failed: 'failed' } as const;

/** Metrics of webhook deliveries. Labels are results and lanes, never sites or endpoints. */
@Injectable()
export class WebhookMetrics {
  #reading: Promise<void> | undefined;
  readonly #attempts: prom.Histogram<'result'>;
  readonly #backlog: Readonly<Record<'waiting' | 'oldest_seconds', prom.Gauge<'lane'>>>;

  constructor(
    { registry }: MetricsRegistry,
    private readonly queues: WebhookQueueRepository,
  ) {
    const registers = [registry];
    this.#attempts = new prom.Histogram({
      name: 'webhook_delivery_duration_seconds',
      help: 'Time of one attempt to deliver a webhook',
      labelNames: ['result'],
      buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    });
    for (const result of Object.values(RESULTS)) this.#attempts.zero({ result });
    const gauge = (name: string, help: string): prom.Gauge<'lane'> =>
      new prom.Gauge({ name, help, labelNames: ['lane'], registers, collect: () => this.#read() });
    this.#backlog = {
      waiting: gauge('webhook_deliveries_waiting', 'Webhook deliveries that are due, at most 10,000 of an endpoint'),
      oldest_seconds: gauge('webhook_deliveries_oldest_seconds', 'Time since the oldest due delivery became due'),
    };
  }

  attempted(attempts: readonly RecordedAttempt[]): void {
    for (const { state, response_ms } of attempts)
      this.#attempts.observe({ result: RESULTS[state] }, response_ms / 1_000);
  }

  /** Reads the queues once per scrape, for both gauges. */
  #read(): Promise<void> {
    this.#reading ??= this.#readBacklog().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readBacklog(): Promise<void> {
    // Without its database the service keeps the last values. Readiness shows the reason.
    const lanes = await this.queues.backlog().catch(() => []);
    for (const { lane, waiting, oldest_seconds } of lanes) {
      this.#backlog.waiting.set({ lane }, waiting);
      this.#backlog.oldest_seconds.set({ lane }, oldest_seconds);
    }
  }
}
