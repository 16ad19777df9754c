import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask, RunsInBackground, errorMessage, isDatabaseUnavailable } from '@lyceum/platform';
import { LostLease, PermanentFailure } from './job-errors.js';
import type { JobMetrics, JobResult } from './job-metrics.js';
import type { Job, JobQueue } from './job-queue.js';

/** Fraction of the lease that a run may take. The rest is for recording its end. */
const DEADLINE = 0.75;

/**
 * Runs the jobs of a queue in every replica. It claims jobs of sites of which none runs: when the jobs of a site have
 * ended, and after a pause. So a long job delays its own site alone. When a shutdown begins, it claims no more jobs.
 * Jobs that are late then are interrupted: another replica takes them at once.
 */
@RunsInBackground()
@Injectable()
export abstract class JobWorker<Row extends object> implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(this.constructor.name);
  readonly #turns: PeriodicTask;
  /** The running jobs of each site. */
  readonly #running = new Map<string, Promise<unknown>>();

  protected constructor(
    protected readonly queue: JobQueue<Row>,
    private readonly metrics: JobMetrics,
    pauseMs: number,
  ) {
    metrics.measure(queue.declaration);
    this.#turns = new PeriodicTask(
      this.constructor.name,
      pauseMs,
      (signal) => this.#runUntil(signal),
      (error) => {
        // Readiness shows an unavailable database.
        if (!isDatabaseUnavailable(error)) this.#logger.error({ msg: 'jobs could not be taken', err: error });
      },
      'queue',
    );
  }

  /**
   * Does a job, or a part of it, and ends it with `queue.end` or `queue.again`. In the transaction of the effects, the
   * effects happen once. A run that rejects is retried later.
   *
   * @param signal aborts at three quarters of the lease, and when a shutdown waits no longer
   * @throws {PermanentFailure} if no later attempt can succeed
   */
  protected abstract run(job: Job<Row>, signal: AbortSignal): Promise<void>;

  onApplicationBootstrap(): void {
    this.#turns.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#turns.stop();
    await Promise.all(this.#running.values());
  }

  /** Claims and runs due jobs. Returns false if none is due. */
  async turn(): Promise<boolean> {
    const started = await this.#start();
    await Promise.all(started);
    return started.length > 0;
  }

  /** Claims and runs jobs until none is due and none runs. */
  async #runUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Read before the claim, so that a site whose jobs end during the claim is claimed without a pause.
      const running = [...this.#running.values()];
      if ((await this.#start()).length > 0) continue;
      if (running.length === 0) return;
      await Promise.race([sleep(this.#turns.pauseMs, undefined, { ref: false }), ...running]);
    }
  }

  /** Claims due jobs of sites of which none runs. Returns their runs, one for each site. */
  async #start(): Promise<Promise<unknown>[]> {
    const jobs = await this.queue.claim([...this.#running.keys()]);
    return [...Map.groupBy(jobs, ({ site_id }) => site_id)].map(([site, ofSite]) => {
      const runs = Promise.all(ofSite.map((job) => this.#attempt(job))).finally(() => this.#running.delete(site));
      this.#running.set(site, runs);
      return runs;
    });
  }

  async #attempt(job: Job<Row>): Promise<void> {
    const { name, leaseSeconds } = this.queue.declaration;
    const started = performance.now();
    const { late } = this.#turns;
    const signal = AbortSignal.any([AbortSignal.timeout(leaseSeconds * 1_000 * DEADLINE), late]);
    let result: JobResult = 'done';
    try {
      await Promise.race([this.#run(job, signal), rejection(signal)]);
    } catch (error) {
      result = await (late.aborted ? this.#interrupted(job) : this.#failed(job, error));
    }
    this.metrics.ran(name, result, (performance.now() - started) / 1_000);
  }

  /** A run that ends its process or outlives its lease notes no failure, so that its attempt is counted here only. */
  async #run(job: Job<Row>, signal: AbortSignal): Promise<void> {
    const { attempts } = this.queue.declaration;
    if (job.attempts > attempts)
      throw new PermanentFailure(`Each of ${attempts} attempts ended its process or outlived its lease`);
    await this.run(job, signal);
  }

  async #interrupted(job: Job<Row>): Promise<JobResult> {
    try {
      await this.queue.release(job);
      return 'interrupted';
    } catch (error) {
      // Another replica has the job, or takes it after the end of its lease.
      this.#logger.warn({
        msg: 'an interrupted job could not be released',
        queue: this.queue.declaration.name,
        err: error,
      });
      return 'lost';
    }
  }

  async #failed(job: Job<Row>, error: unknown): Promise<JobResult> {
    const { key, name } = this.queue.declaration;
    const log = { queue: name, key: key.map((column) => String(Reflect.get(job, column))), attempts: job.attempts };
    if (error instanceof LostLease) {
      this.#logger.warn({ msg: 'a job outlived its lease', ...log });
      return 'lost';
    }
    try {
      const dead = await this.queue.fail(job, errorMessage(error), error instanceof PermanentFailure);
      this.#logger.warn({ msg: dead ? 'a job is dead' : 'a job is tried again later', ...log, err: error });
      return dead ? 'dead' : 'failed';
    } catch (unnoted) {
      // The job is retried after the end of its lease.
      this.#logger.warn({ msg: 'the failure of a job could not be noted', ...log, err: unnoted });
      return 'lost';
    }
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(new Error('The job took longer than its deadline'));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
}
