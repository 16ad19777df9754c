import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask, isDatabaseUnavailable, wordsOf } from '@lyceum/platform';
import { LostLease, PermanentFailure } from './job-errors.js';
import type { JobMetrics, JobResult } from './job-metrics.js';
import type { Job, JobQueue } from './job-queue.js';

/** Part of the lease that a run may take. The rest is for the note of its end. */
const DEADLINE = 0.75;

/**
 * Runs the jobs of a queue in every replica: some of several sites at a time, until none is due, then again after a
 * pause. At shutdown it takes no more jobs and waits for those that run.
 */
@Injectable()
export abstract class JobWorker<Row extends object> implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(this.constructor.name);
  readonly #turns: PeriodicTask;

  protected constructor(
    protected readonly queue: JobQueue<Row>,
    private readonly metrics: JobMetrics,
    pauseMs: number,
  ) {
    metrics.measure(queue);
    this.#turns = new PeriodicTask(
      pauseMs,
      async (signal) => {
        while (!signal.aborted && (await this.turn()));
      },
      (error) => {
        // Readiness shows that the database is away.
        if (!isDatabaseUnavailable(error)) this.#logger.error({ msg: 'jobs could not be taken', err: error });
      },
    );
  }

  /**
   * Does a job and ends it, or its part, with `queue.end` or `queue.again`; in the transaction of its effects, they
   * happen once. A job whose run rejects is tried again later.
   * @param signal aborts before the lease ends.
   * @throws {PermanentFailure} when no later attempt can succeed.
   */
  protected abstract run(job: Job<Row>, signal: AbortSignal): Promise<void>;

  onApplicationBootstrap(): void {
    this.#turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#turns.stop();
  }

  /** Runs some due jobs; false when none is due. */
  async turn(): Promise<boolean> {
    const jobs = await this.queue.claim();
    await Promise.all(jobs.map((job) => this.#attempt(job)));
    return jobs.length > 0;
  }

  async #attempt(job: Job<Row>): Promise<void> {
    const { name, leaseSeconds } = this.queue.declaration;
    const started = performance.now();
    const signal = AbortSignal.timeout(leaseSeconds * 1_000 * DEADLINE);
    const result = await Promise.race([this.run(job, signal), rejection(signal)]).then(
      () => 'done' as const,
      (error: unknown) => this.#failed(job, error),
    );
    this.metrics.ran(name, result, (performance.now() - started) / 1_000);
  }

  async #failed(job: Job<Row>, error: unknown): Promise<JobResult> {
    const { key, name } = this.queue.declaration;
    const log = { queue: name, key: key.map((column) => String(Reflect.get(job, column))), attempts: job.attempts };
    if (error instanceof LostLease) {
      this.#logger.warn({ msg: 'a job outlived its lease', ...log });
      return 'lost';
    }
    try {
      const dead = await this.queue.fail(job, wordsOf(error), error instanceof PermanentFailure);
      this.#logger.warn({ msg: dead ? 'a job is dead' : 'a job is tried again later', ...log, err: error });
      return dead ? 'dead' : 'failed';
    } catch (unnoted) {
      // The lease ends by itself, and the job is tried again.
      this.#logger.warn({ msg: 'the failure of a job could not be noted', ...log, err: unnoted });
      return 'lost';
    }
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The job took longer than its deadline')), { once: true });
  });
}
