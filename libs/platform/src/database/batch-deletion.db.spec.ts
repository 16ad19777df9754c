import { eventually, testPostgres } from '@lyceum/testing';
import type { TestPostgres } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import { deleteBatch } from './batch-deletion.js';

let server: TestPostgres;
let source: DataSource;
beforeAll(async () => {
  server = await testPostgres(['school']);
  source = await new DataSource({ type: 'postgres', url: server.url('school') }).initialize();
  await source.query(`
    create table lines (site int not null, id int not null, note text) partition by list (site);
    create table lines_1 partition of lines for values in (1);
    create table lines_2 partition of lines for values in (2)`);
});
beforeEach(() =>
  source.query(`
    truncate lines;
    insert into lines select site, id from generate_series(1, 2) as site, generate_series(1, 2) as id`),
);
afterAll(async () => {
  await source.destroy();
  await server.remove();
});

const deleteLines = (limit: number, where = 't.site = $1') =>
  source.transaction((tx) => deleteBatch(tx, { table: 'lines', where, limit }, [1]));
const lines = () => source.query<{ site: number; id: number }[]>('select site, id from lines order by site, id');

/** Deletes lines of the first site, whose note is empty, while another transaction runs a statement. */
async function beside(statement: string) {
  const other = source.createQueryRunner();
  await other.startTransaction();
  await other.query(statement);
  const deletion = deleteLines(1, 't.site = $1 and t.note is null');
  // A transaction sees the connections of its first look alone, so another one looks.
  const blocked = `select 1 from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
  await eventually(async () => (await source.query<object[]>(blocked)).length > 0);
  await other.commitTransaction();
  await other.release();
  return deletion;
}

it('deletes at most the limit, and no row of another partition', async () => {
  expect(await deleteLines(1)).toEqual({ found: 1, deleted: 1 });
  expect(await lines()).toEqual([
    { site: 1, id: 2 },
    { site: 2, id: 1 },
    { site: 2, id: 2 },
  ]);
  expect([await deleteLines(2), await deleteLines(2)]).toEqual([
    { found: 1, deleted: 1 },
    { found: 0, deleted: 0 },
  ]);
});

it.each([
  ['deletes', 'delete from lines where site = 1 and id = 1'],
  ['changes', `update lines set note = 'kept' where site = 1 and id = 1`],
])('counts a row that another transaction %s meanwhile as found, and does not delete it', async (_what, statement) => {
  expect(await beside(statement)).toEqual({ found: 1, deleted: 0 });
});
