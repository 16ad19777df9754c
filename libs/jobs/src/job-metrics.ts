import { Injectable } from '@nestjs/common';
import { MetricsRegistry, Sql } from '@lyceum/platform';
import prom from 'prom-client';
import type { QueueDeclaration } from './queue-declaration.js';
import { depthsOf } from './statements.js';

const RESULTS = ['done', 'failed', 'dead', 'lost', 'interrupted'] as const;

export type JobResult = (typeof RESULTS)[number];

const COUNTS = ['waiting', 'oldest_seconds', 'dead'] as const;

type Count = (typeof COUNTS)[number];

/** Metrics of the queues of a service. Labels are queues and results, never sites. */
@Injectable()
export class JobMetrics {
  readonly #queues: QueueDeclaration[] = [];
  #reading: Promise<void> | undefined;
  readonly #runs: prom.Histogram<'queue' | 'result'>;
  readonly #depth: Readonly<Record<Count, prom.Gauge<'queue'>>>;

  constructor(
    { registry }: MetricsRegistry,
    private readonly sql: Sql,
  ) {
    const registers = [registry];
    const labelNames = ['queue'] as const;
    this.#runs = new prom.Histogram({
      name: 'job_run_duration_seconds',
      help: 'Time of one run of a job',
      labelNames: [...labelNames, 'result'],
      buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60],
      registers,
    });
    const gauge = (name: string, help: string): prom.Gauge<'queue'> =>
      new prom.Gauge({ name, help, labelNames, registers, collect: () => this.#read() });
    this.#depth = {
      waiting: gauge('jobs_waiting', 'Jobs that are due, at most 10,000'),
      oldest_seconds: gauge('jobs_oldest_seconds', 'Time since the oldest due job became due'),
      dead: gauge('jobs_dead', 'Dead jobs, at most 10,000'),
    };
  }

  /** Adds a queue to the gauges, and its runs with every result at 0. */
  measure(queue: QueueDeclaration): void {
    this.#queues.push(queue);
    for (const result of RESULTS) this.#runs.zero({ queue: queue.name, result });
  }

  /** Records a run and its duration in seconds. */
  ran(queue: string, result: JobResult, seconds: number): void {
    this.#runs.observe({ queue, result }, seconds);
  }

  /** Reads the queues once per scrape, for all gauges. */
  #read(): Promise<void> {
    this.#reading ??= this.#readQueues().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  /** One statement for all queues, so that a scrape takes one connection, and waits for one time limit at most. */
  async #readQueues(): Promise<void> {
    const read = this.sql.query<Record<Count, number> & { readonly queue: string }>(depthsOf(this.#queues), []);
    // Without its database the service keeps the last values. Readiness shows the reason.
    for (const depth of await read.catch(() => []))
      for (const count of COUNTS) this.#depth[count].set({ queue: depth.queue }, depth[count]);
  }
}
