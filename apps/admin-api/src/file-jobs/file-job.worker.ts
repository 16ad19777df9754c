import { JobWorker, LostLease } from '@lyceum/jobs';
import type { Job, JobMetrics, JobQueue } from '@lyceum/jobs';
import type { Outbox } from '@lyceum/messaging';
import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FILE_JOB_LIMITS, JobFailure } from './file-job.policy.js';
import type { JobKey } from './job-rows.js';

const PAUSE_MS = 1_000;

/** Runs jobs that end with a state of their own: a failure is published, and no job of the queue is dead. */
export abstract class FileJobWorker<Row extends JobKey, Reason extends string> extends JobWorker<Row> {
  readonly #log = new Logger(this.constructor.name);

  protected constructor(
    queue: JobQueue<Row>,
    metrics: JobMetrics,
    protected readonly outbox: Outbox,
  ) {
    super(queue, metrics, PAUSE_MS);
  }

  protected abstract step(job: Job<Row>, signal: AbortSignal): Promise<void>;

  /** Publishes the failure in the transaction that ends the job. */
  protected abstract fail(tx: EntityManager, job: Row, reason: Reason | 'internal'): Promise<unknown>;

  protected override async run(job: Job<Row>, signal: AbortSignal): Promise<void> {
    try {
      if (job.attempts > FILE_JOB_LIMITS.attempts) throw new JobFailure('internal');
      await this.step(job, signal);
    } catch (error) {
      const last = job.attempts >= FILE_JOB_LIMITS.attempts;
      const failure = error instanceof JobFailure ? (error as JobFailure<Reason>) : undefined;
      if (error instanceof LostLease || !(failure?.final === true || last)) throw error;
      const reason = failure?.reason ?? 'internal';
      const { name } = this.queue.declaration;
      if (reason === 'internal') this.#log.error({ msg: `a job of ${name} failed`, id: job.id, err: error });
      await this.end(job, (tx) => this.fail(tx, job, reason));
    }
  }

  /** @throws {LostLease} also when the job was canceled */
  protected async end(job: Job<Row>, step: (tx: EntityManager) => Promise<unknown>): Promise<void> {
    await this.outbox.transaction(async (tx) => {
      await this.queue.end(job, tx);
      await step(tx);
    });
  }
}
