import { Database, migrateDatabase } from '@lyceum/platform';
import { emptyDatabase, planOf, rowsRead } from '@lyceum/testing';
import type { PlanNode, TestDatabase } from '@lyceum/testing';
import { statementsOf } from '../src/statements.js';
import { A, QUEUE, Words1763000000000 } from './words.js';

/** The rows that the scans of a plan read. */
function rowsOf(nodes: readonly PlanNode[]): number {
  return nodes.filter((node) => node['Relation Name'] !== undefined).reduce((sum, node) => sum + rowsRead(node), 0);
}

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await emptyDatabase();
  const options = { url: testDatabase.url, poolSize: 1, applicationName: 'test', entities: [] };
  const migrations = [Words1763000000000];
  await migrateDatabase({ ...options, migrations });
  database = await Database.open({ ...options, migrations });
});
afterAll(async () => {
  await database.onApplicationShutdown();
  await testDatabase.drop();
});

it('reads few rows of a long backlog of one site, with a condition on other rows', async () => {
  const { dataSource } = database;
  await dataSource.query(`insert into words (site_id, word) select $1, 'w' || n from generate_series(1, 50000) n`, [A]);
  await dataSource.query('create index words_word on words (site_id, word, job_id)');
  await dataSource.query('analyze words');
  // Only the first job of a word is ready.
  const ready = `not exists (select from words o where o.site_id = job.site_id and o.word = job.word
    and o.ended_at is null and o.job_id < job.job_id)`;
  const { text } = statementsOf({ ...QUEUE, ready }).claim;
  const read = rowsOf(await planOf((...statement) => dataSource.query(...statement), { text, values: [[]] }));
  expect(read).toBeGreaterThan(QUEUE.jobsOfSite);
  expect(read).toBeLessThan(100);
});
