import { Database, MetricsRegistry, Sql, migrateDatabase } from '@lyceum/platform';
import { emptyDatabase } from '@lyceum/testing';
import type { TestDatabase } from '@lyceum/testing';
import { JobMetrics } from '../src/job-metrics.js';
import { A, QUEUE, Words1763000000000 } from './words.js';

const OTHERS = { ...QUEUE, name: 'held words', ready: `job.word = 'held'` };

let testDatabase: TestDatabase;
let database: Database;
let sql: Sql;
let registry: MetricsRegistry;

beforeAll(async () => {
  testDatabase = await emptyDatabase();
  const options = { url: testDatabase.url, poolSize: 1, applicationName: 'test', entities: [] };
  const migrations = [Words1763000000000];
  await migrateDatabase({ ...options, migrations });
  database = await Database.open({ ...options, migrations });
  sql = new Sql(database.dataSource);
});
beforeEach(async () => {
  registry = new MetricsRegistry('test');
  const metrics = new JobMetrics(registry, sql);
  for (const queue of [QUEUE, OTHERS]) metrics.measure(queue);
  await database.dataSource.query('truncate words');
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await database.onApplicationShutdown();
  await testDatabase.drop();
});

const insert = (word: string, seconds: number) =>
  database.dataSource.query(
    `insert into words (site_id, word, due_at) values ($1, $2, now() - make_interval(secs => $3))`,
    [A, word, seconds],
  );

/** Returns the values of a gauge by queue, without the fractions of seconds. */
async function scraped(gauge: string): Promise<Readonly<Record<string, number>>> {
  const text = await registry.registry.metrics();
  const found = text.matchAll(new RegExp(`^${gauge}\\{queue="([^"]+)",service="test"\\} (\\S+)$`, 'gm'));
  return Object.fromEntries([...found].map(([, queue = '', value]) => [queue, Math.trunc(Number(value))]));
}

it('shows how many jobs of each queue wait, and for how long', async () => {
  await insert('one', 90);
  await insert('two', 30);
  await insert('later', -60);
  await insert('held', 600);
  expect(await scraped('jobs_waiting')).toEqual({ words: 2, 'held words': 1 });
  const { words, 'held words': held } = await scraped('jobs_oldest_seconds');
  expect([words, held]).toEqual([expect.closeTo(93, -1), expect.closeTo(603, -1)]);
});

it('shows 0 for a queue without jobs', async () => {
  for (const gauge of ['jobs_waiting', 'jobs_oldest_seconds', 'jobs_dead'])
    expect(await scraped(gauge)).toEqual({ words: 0, 'held words': 0 });
});

it('reads all queues in one statement at a scrape', async () => {
  const query = jest.spyOn(sql, 'query');
  await registry.registry.metrics();
  expect(query).toHaveBeenCalledTimes(1);
});

it('keeps the last values while the database does not respond', async () => {
  await insert('one', 0);
  await registry.registry.metrics();
  jest.spyOn(sql, 'query').mockRejectedValue(new Error('away'));
  expect(await scraped('jobs_waiting')).toEqual({ words: 1, 'held words': 0 });
});
