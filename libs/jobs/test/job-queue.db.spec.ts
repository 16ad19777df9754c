import { setTimeout as sleep } from 'node:timers/promises';
import { Database, Lifecycle, MetricsRegistry, Sql, migrateDatabase, withTaskSettings } from '@lyceum/platform';
import { emptyDatabase, eventually } from '@lyceum/testing';
import type { TestDatabase } from '@lyceum/testing';
import { LostLease, PermanentFailure } from '../src/job-errors.js';
import { JobMetrics } from '../src/job-metrics.js';
import { JobQueue } from '../src/job-queue.js';
import type { Job } from '../src/job-queue.js';
import type { QueueDeclaration } from '../src/queue-declaration.js';
import { A, B, C, CountedQueue, QUEUE, Words1763000000000, Worker } from './words.js';
import type { Row } from './words.js';

let testDatabase: TestDatabase;
let database: Database;
let registry: MetricsRegistry;
let metrics: JobMetrics;

/** Seconds until a time that was set a moment ago: the process may stand still for some of them. */
const about = (seconds: number): unknown => expect.closeTo(seconds - 3, -1);

const queueOf = (more: Partial<QueueDeclaration> = {}) =>
  new CountedQueue({ ...QUEUE, ...more }, new Sql(database.dataSource));
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
  metrics = new JobMetrics(registry, new Sql(database.dataSource));
  await all('truncate words, effects');
});
afterAll(async () => {
  await database.onApplicationShutdown();
  await testDatabase.drop();
});

it('ends jobs that were due at an instant, and leaves later ones and dead ones', async () => {
  await add(A, 'done before a restore', 2);
  const [{ now }] = (await all<{ now: Date }>('select clock_timestamp() as now')) as [{ now: Date }];
  await add(A, 'due since', 1);
  await all(`update words set due_at = $1::timestamptz + interval '1 hour' where word = 'due since'`, [now]);
  await add(B, 'dead', 1);
  await all(`update words set ended_at = now(), failure = 'refused' where word = 'dead'`);
  expect(await queueOf().endDue(new Date(now.getTime() + 1))).toBe(2);
  expect((await rows()).map(({ ended, failure }) => [ended, failure])).toEqual([
    [true, null],
    [true, null],
    [false, null],
    [true, 'refused'],
  ]);
  expect(await queueOf().endDue(new Date(now.getTime() + 1))).toBe(0);
});

it('ends many jobs in statements of 500 rows', async () => {
  await add(A, 'done before a restore', 1_200);
  const sql = new Sql(database.dataSource);
  const query = jest.spyOn(sql, 'query');
  expect(await new JobQueue(QUEUE, sql).endDue(new Date())).toBe(1_200);
  const changed = await Promise.all(query.mock.results.map(({ value }) => value as Promise<readonly object[]>));
  expect(changed.map(({ length }) => length)).toEqual([500, 500, 200]);
  expect((await rows()).every((row) => row.ended)).toBe(true);
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

  it('leaves out busy sites, which count among its sites', async () => {
    await add(A, 'busy');
    await add(B, 'free');
    expect(await queueOf({ sites: 1 }).claim([A])).toEqual([]);
    expect((await queueOf({ sites: 2 }).claim([A])).map(({ word }) => word)).toEqual(['free']);
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

  it('runs the parts of a job one after the other, without a pause, with all its attempts for each', async () => {
    await add(A, 'parts');
    let parts = 0;
    const worker = workerOf((job, queue) => ((parts += 1) < 40 ? queue.again(job) : queue.end(job)));
    while (await worker.turn());
    expect([parts, await rows()]).toMatchObject([40, [{ attempts: 1, ended: true }]]);
  });

  it('tries a failed job later, and keeps it as dead after its last attempt', async () => {
    await add(A, 'fails');
    const worker = workerOf(() => Promise.reject(new Error('busy')));
    await worker.turn();
    expect(await rows()).toMatchObject([{ attempts: 1, ended: false, failure: null, seconds: about(30) }]);
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

  it('makes a job dead without a run when each attempt ended its process', async () => {
    await add(A, 'kills');
    for (const attempts of [1, 2]) {
      expect(await queueOf().claim()).toMatchObject([{ attempts }]);
      await expire();
    }
    let runs = 0;
    await workerOf(async () => void (runs += 1)).turn();
    const failure = 'Each of 2 attempts ended its process or outlived its lease';
    expect([runs, await rows()]).toMatchObject([0, [{ attempts: 3, ended: true, failure }]]);
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
    expect([aborted, await rows()]).toMatchObject([true, [{ attempts: 1, ended: false, seconds: about(30) }]]);
  });
});

describe('a worker that runs jobs of several sites', () => {
  let queue: CountedQueue;
  let worker: Worker;
  let held: PromiseWithResolvers<void>;
  let ran: string[];

  /** Starts a worker. Jobs with the word `long` end when the test says so. */
  const start = (more: Partial<QueueDeclaration>) => {
    queue = queueOf(more);
    held = Promise.withResolvers<void>();
    ran = [];
    worker = new Worker(queue, metrics, async (job) => {
      ran.push(job.word);
      if (job.word === 'long') await held.promise;
      await queue.end(job);
    });
    worker.onApplicationBootstrap();
  };
  const count = (word: string) => ran.filter((one) => one === word).length;
  const until = (word: string, times = 1) => eventually(() => count(word) >= times);
  afterEach(async () => {
    held.resolve();
    await worker.beforeApplicationShutdown();
  });

  it('runs a job of another site, and none of the same one, while a job runs', async () => {
    await add(A, 'long');
    start({ jobsOfSite: 1 });
    await until('long');
    await add(A, 'later');
    await add(B, 'short');
    await until('short');
    expect(ran).toEqual(['long', 'short']);
    held.resolve();
    await until('later');
  });

  it('runs a new job of a site before the backlog of another site ends', async () => {
    await add(A, 'many', 500);
    start({ sites: 1 });
    await until('many');
    await add(B, 'few');
    const before = ran.length;
    await until('few');
    // The one place falls to each of the two sites with the same chance, for three jobs at a time.
    expect(ran.indexOf('few') - before).toBeLessThan(150);
  });

  it('runs jobs of no more sites at once than its queue declares, and claims once per pause meanwhile', async () => {
    for (const site of [A, B, C]) await add(site, 'long', 2);
    start({ sites: 2, jobsOfSite: 1 });
    await until('long', 2);
    const before = queue.claims;
    // Time is what is tested: some twenty pauses pass.
    await sleep(200);
    expect([count('long'), queue.claims - before < 40]).toEqual([2, true]);
    held.resolve();
    await until('long', 6);
  });

  it('waits at shutdown for the jobs of all sites, and takes no other', async () => {
    await add(A, 'long', 2);
    start({ jobsOfSite: 1 });
    await until('long');
    await add(B, 'long', 2);
    await until('long', 2);
    const stopped = worker.beforeApplicationShutdown();
    held.resolve();
    await stopped;
    expect([ran, (await rows()).filter(({ ended }) => ended).length]).toEqual([['long', 'long'], 2]);
  });

  it('returns a late job at shutdown as due, and counts no attempt of it', async () => {
    await add(A, 'long');
    const lifecycle = new Lifecycle();
    await withTaskSettings({ PERIODIC_TASKS: 'on', QUEUE_PAUSE_MS: 10, lifecycle }, async () => start({}));
    await until('long');
    lifecycle.stop(0);
    await worker.beforeApplicationShutdown();
    expect(await rows()).toMatchObject([{ attempts: 0, ended: false, failure: null }]);
    expect((await queueOf().claim()).map(({ word }) => word)).toEqual(['long']);
    const result = /job_run_duration_seconds_count\{service="test",queue="words",result="interrupted"\} 1/;
    expect(await registry.registry.metrics()).toMatch(result);
  });
});
