import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { JobMetrics } from '../src/job-metrics.js';
import { JobQueue } from '../src/job-queue.js';
import type { Job } from '../src/job-queue.js';
import { JobWorker } from '../src/job-worker.js';
import type { QueueDeclaration } from '../src/queue-declaration.js';

export const [A, B, C] = [
  '0199f6a0-0000-7000-8000-00000000000a',
  '0199f6a0-0000-7000-8000-00000000000b',
  '0199f6a0-0000-7000-8000-00000000000c',
];

export interface Row {
  readonly job_id: string;
  readonly word: string;
}

export const QUEUE: QueueDeclaration = {
  name: 'words',
  table: 'words',
  key: ['job_id'],
  columns: ['job.job_id', 'job.word'],
  ready: `job.word <> 'held'`,
  leaseSeconds: 60,
  attempts: 2,
  firstRetrySeconds: 30,
  longestRetrySeconds: 60,
  sites: 4,
  jobsOfSite: 3,
};

export class Words1763000000000 implements MigrationInterface {
  readonly name = 'Words1763000000000';

  async up(runner: QueryRunner): Promise<void> {
    // `now()` would be rounded up, and a claim in the same millisecond would find no job.
    await runner.query(`
      create table words (
        job_id uuid primary key default uuidv7(), site_id uuid not null, word text not null,
        due_at timestamptz(3) not null default date_trunc('milliseconds', now()), attempts integer not null default 0, ended_at timestamptz, failure text)`);
    await runner.query('create index words_due on words (site_id, due_at) where ended_at is null');
    await runner.query('create table effects (word text not null)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table words, effects');
  }
}

/** Counts its claims. */
export class CountedQueue extends JobQueue<Row> {
  claims = 0;

  override claim(busy?: readonly string[]): Promise<Job<Row>[]> {
    this.claims += 1;
    return super.claim(busy);
  }
}

/** Runs what the test says. */
export class Worker extends JobWorker<Row> {
  constructor(
    queue: JobQueue<Row>,
    metrics: JobMetrics,
    private readonly work: (job: Job<Row>, queue: JobQueue<Row>, signal: AbortSignal) => Promise<void>,
  ) {
    super(queue, metrics, 10);
  }

  protected override run(job: Job<Row>, signal: AbortSignal): Promise<void> {
    return this.work(job, this.queue, signal);
  }
}
