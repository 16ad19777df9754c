import { Database, MetricsRegistry, Sql, migrateDatabase } from '@lyceum/platform';
import { emptyDatabase } from '@lyceum/testing';
import type { TestDatabase } from '@lyceum/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { LostLease, PermanentFailure } from '../src/job-errors.js';
import { JobMetrics } from '../src/job-metrics.js';
import { JobQueue } from '../src/job-queue.js';
import type { Job } from '../src/job-queue.js';
import { JobWorker } from '../src/job-worker.js';
import type { QueueDeclaration } from '../src/queue-declaration.js';

const [A, B] = ['0199f6a0-0000-7000-8000-00000000000a', '0199f6a0-0000-7000-8000-00000000000b'];

interface Row {
  readonly job_id: string;
  readonly site_id: string;
  readonly word: string;
}

const QUEUE: QueueDeclaration = {
  name: 'words',
  table: 'words',
  key: ['job_id'],
  columns: ['job.job_id', 'job.site_id', 'job.word'],
  ready: `job.word <> 'held'`,
  leaseSeconds: 60,
  attempts: 2,
  firstRetrySeconds: 30,
  longestRetrySeconds: 60,
  sites: 4,
  jobsOfSite: 3,
};

class Words1763000000000 implements MigrationInterface {
  readonly name = 'Words1763000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table words (
        job_id uuid primary key default uuidv7(), site_id uuid not null, word text not null,
        due_at timestamptz not null default now(), attempts integer not null default 0, ended_at timestamptz, failure text)`);
    await runner.query('create index words_due on words (site_id, due_at) where ended_at is null');
    await runner.query('create table effects (word text not null)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table words, effects');
  }
}

/** Runs what the test says. */
class Worker extends JobWorker<Row> {
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

let testDatabase: TestDatabase;
let database: Database;
let registry: MetricsRegistry;
let metrics: JobMetrics;

const queueOf = (more: Partial<QueueDeclaration> = {}) =>
  new JobQueue<Row>({ ...QUEUE, ...more }, new Sql(database.dataSource));
const workerOf = (work: ConstructorParameters<typeof Worker>[2], more: Partial<QueueDeclaration> = {}) =>
  new Worker(queueOf(more), metrics, work);
const all = <T>(text: string, values: unknown[] = []): Promise<T[]> => database.dataSource.query<T[]>(text, values);
const add = (site: string, word: string, count = 1) =>
  all('insert into words (site_id, word) select $1, $2 from generate_series(1, $3::int)', [site, word, count]);
const expire = () => all(`update words set due_at = now() - interval '1 second' where ended_at is null`);
const rows = () =>
  all<{ attempts: number; ended: boolean; failure: string | null; seconds: number }>(
    `select attempts, ended_at is not null as ended, failure, round(extract(epoch from due_at - now()))::int as seconds
     from words order by job_id`,
  );
const effects = async () =>
  (await all<{ word: string }>('select word from effects order by word')).map(({ word }) => word);

beforeAll(async () => {
  testDatabase = await emptyDatabase();
  const options = { url: testDatabase.url, poolSize: 5, applicationName: 'test', entities: [] };
  const migrations = [Words1763000000000];
  await migrateDatabase({ ...options, migrations });
  database = await Database.open({ ...options, migrations });
});
beforeEach(async () => {
  registry = new MetricsRegistry('test');
  metrics = new JobMetrics(registry);
  await all('truncate words, effects');
});
afterAll(async () => {
  await database.onApplicationShutdown();
  await testDatabase.drop();
});

describe('a claim', () => {
  it('takes each due job once, by several replicas at once', async () => {
    await add(A, 'one', 30);
    const claimed = (await Promise.all(Array.from({ length: 8 }, () => queueOf().claim()))).flat();
    expect(new Set(claimed.map(({ job_id }) => job_id)).size).toBe(claimed.length);
    expect(claimed.length).toBeGreaterThanOrEqual(3);
  });

  it('takes some jobs of each site, however many another site has', async () => {
    await add(A, 'many', 500);
    await add(B, 'few', 2);
    const claimed = await queueOf().claim();
    expect(claimed.filter(({ site_id }) => site_id === A)).toHaveLength(3);
    expect(claimed.filter(({ site_id }) => site_id === B)).toHaveLength(2);
  });

  it('finds the site that has due jobs among many that have later ones', async () => {
    await all(`insert into words (site_id, word, due_at)
               select uuidv7(), 'later', now() + interval '1 hour' from generate_series(1, 200)`);
    await add(B, 'now');
    expect((await queueOf({ sites: 1 }).claim()).map(({ word }) => word)).toEqual(['now']);
  });

  it('leaves jobs that are not ready', async () => {
    await add(A, 'held');
    expect(await queueOf().claim()).toEqual([]);
  });

  it('takes the job of a dead replica after its lease, and the old lease ends nothing', async () => {
    await add(A, 'one');
    const queue = queueOf();
    const [old] = await queue.claim();
    expect(await queue.claim()).toEqual([]);
    await expire();
    const [taken] = await queue.claim();
    expect(taken).toMatchObject({ job_id: old!.job_id, attempts: 2 });
    await expect(queue.end(old!)).rejects.toThrow(LostLease);
    await queue.end(taken!);
    expect(await rows()).toMatchObject([{ ended: true, failure: null }]);
  });
});

describe('a worker', () => {
  it('rolls back the effects of a run that lost its lease', async () => {
    await add(A, 'twice');
    const effectOf = (job: Job<Row>, queue: JobQueue<Row>) =>
      database.dataSource.transaction(async (tx) => {
        await tx.query('insert into effects values ($1)', [job.word]);
        await queue.end(job, tx);
      });
    const slow = workerOf(async (job, queue) => {
      await expire();
      await workerOf(effectOf).turn();
      await effectOf(job, queue);
    });
    await slow.turn();
    expect(await effects()).toEqual(['twice']);
  });

  it('runs the parts of a job one after the other, with all its attempts for each', async () => {
    await add(A, 'parts');
    let parts = 0;
    const worker = workerOf((job, queue) => ((parts += 1) < 4 ? queue.again(job) : queue.end(job)));
    while (await worker.turn());
    expect([parts, await rows()]).toMatchObject([4, [{ attempts: 1, ended: true }]]);
  });

  it('tries a failed job later, and keeps it as dead after its last attempt', async () => {
    await add(A, 'fails');
    const worker = workerOf(() => Promise.reject(new Error('busy')));
    await worker.turn();
    expect(await rows()).toMatchObject([{ attempts: 1, ended: false, failure: null, seconds: 30 }]);
    await expire();
    await worker.turn();
    expect(await rows()).toMatchObject([{ attempts: 2, ended: true, failure: 'busy' }]);
    expect(await queueOf().dead(10)).toMatchObject([{ site_id: A, attempts: 2, failure: 'busy' }]);
    expect(await registry.registry.metrics()).toMatch(/jobs_dead\{queue="words",service="test"\} 1/);
    expect(await queueOf().reviveAll()).toBe(1);
    expect(await rows()).toMatchObject([{ attempts: 0, ended: false, failure: null }]);
  });

  it('makes a job dead at once when no attempt can succeed', async () => {
    await add(A, 'never');
    await workerOf(() => Promise.reject(new PermanentFailure('refused'))).turn();
    expect(await rows()).toMatchObject([{ attempts: 1, ended: true, failure: 'refused' }]);
  });

  it('ends a run at its deadline, before the lease ends', async () => {
    await add(A, 'hangs');
    let aborted = false;
    const hang = workerOf(
      (_job, _queue, signal) =>
        new Promise(() => signal.addEventListener('abort', () => (aborted = true), { once: true })),
      { leaseSeconds: 1 },
    );
    await hang.turn();
    expect([aborted, await rows()]).toMatchObject([true, [{ attempts: 1, ended: false, seconds: 30 }]]);
  });

  it('waits at shutdown for the job that runs, and takes no other', async () => {
    await add(A, 'runs', 10);
    const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let runs = 0;
    const worker = workerOf(
      async (job, queue) => {
        runs += 1;
        begun.resolve();
        await finish.promise;
        await queue.end(job);
      },
      { jobsOfSite: 1 },
    );
    worker.onApplicationBootstrap();
    await begun.promise;
    const stopped = worker.beforeApplicationShutdown();
    finish.resolve();
    await stopped;
    expect(runs).toBe(1);
    expect((await rows()).filter(({ ended }) => ended)).toHaveLength(1);
  });
});

it('shows how many jobs wait, and for how long', async () => {
  await add(A, 'waits', 2);
  await all(`update words set due_at = now() - interval '90 seconds'`);
  workerOf(() => Promise.resolve());
  const text = await registry.registry.metrics();
  expect(text).toMatch(/jobs_waiting\{queue="words",service="test"\} 2/);
  expect(Number(/jobs_oldest_seconds\{queue="words",service="test"\} (\S+)/.exec(text)?.[1])).toBeGreaterThanOrEqual(
    89,
  );
});
