import { Injectable } from '@nestjs/common';
import { MetricsRegistry } from '@lyceum/platform';
import prom from 'prom-client';
import type { JobQueue } from './job-queue.js';

const RESULTS = ['done', 'failed', 'dead', 'lost'] as const;

export type JobResult = (typeof RESULTS)[number];

type Measured = Pick<JobQueue<object>, 'declaration' | 'depth'>;

/** Metrics of the queues of a service. Labels are queues and results, never sites. */
@Injectable()
export class JobMetrics {
  readonly #queues: Measured[] = [];
  #reading: Promise<void> | undefined;
  readonly #runs: prom.Histogram<'queue' | 'result'>;
  readonly #depth: Readonly<Record<'waiting' | 'oldest_seconds' | 'dead', prom.Gauge<'queue'>>>;

  constructor({ registry }: MetricsRegistry) {
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
  measure(queue: Measured): void {
    this.#queues.push(queue);
    for (const result of RESULTS) this.#runs.zero({ queue: queue.declaration.name, result });
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

  async #readQueues(): Promise<void> {
    for (const queue of this.#queues) {
      // Without its database the service keeps the last values. Readiness shows the reason.
      const depth = await queue.depth().catch(() => undefined);
      if (depth === undefined) continue;
      for (const name of ['waiting', 'oldest_seconds', 'dead'] as const) {
        this.#depth[name].set({ queue: queue.declaration.name }, depth[name]);
      }
    }
  }
}
