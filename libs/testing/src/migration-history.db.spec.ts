import pg from 'pg';
import { MigrationHistory } from './migration-history.js';
import { emptyDatabase } from './test-database.js';
import type { TestDatabase } from './test-database.js';

interface Runner {
  query(text: string): Promise<unknown>;
}

class Things1700000000001 {
  async up(runner: Runner): Promise<void> {
    await runner.query('create table things (id int primary key, name text not null)');
    await runner.query('create index things_by_name on things (name)');
  }

  async down(runner: Runner): Promise<void> {
    await runner.query('drop table things');
  }
}

class Sizes1700000000002 {
  async up(runner: Runner): Promise<void> {
    await runner.query('alter table things add column size int default 1 check (size > 0)');
  }

  async down(runner: Runner): Promise<void> {
    await runner.query('alter table things drop column size');
  }
}

class Breaks1700000000003 {
  async up(runner: Runner): Promise<void> {
    await runner.query('drop table things');
    await runner.query('select nothing');
  }

  async down(): Promise<void> {}
}

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await emptyDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const historyOf = (...migrations: Function[]): MigrationHistory<Runner> =>
  new MigrationHistory({ query: async (text) => (await client.query<object>(text)).rows }, migrations);

it('runs migrations in the order of their timestamps, up to one and down to one', async () => {
  const history = historyOf(Sizes1700000000002, Things1700000000001);
  const tables = async (): Promise<string[]> =>
    Object.keys(await history.catalog()).filter((name) => /^(?:table|column)/.test(name));
  const both = ['column things.id', 'column things.name', 'table things'];
  await history.before(Sizes1700000000002);
  expect((await tables()).toSorted()).toEqual(both);
  await history.up();
  expect((await tables()).toSorted()).toEqual([
    'column things.id',
    'column things.name',
    'column things.size',
    both[2],
  ]);
  await history.down(Sizes1700000000002);
  expect((await tables()).toSorted()).toEqual(both);
  await history.down();
  expect(await history.catalog()).toEqual({});
});

it.each([
  ['a default', 'alter table things alter size drop default'],
  ['a type', 'alter table things alter size type bigint'],
  ['a null', 'alter table things alter name drop not null'],
  ['a check', 'alter table things drop constraint things_size_check'],
  ['an index', 'drop index things_by_name'],
  ['a column', 'alter table things add column more text'],
  ['a function', 'create function left_over() returns int language sql as $$ select 1 $$'],
  ['a sequence', 'create sequence left_over'],
])('shows %s that differs', async (_name, change) => {
  const history = historyOf(Things1700000000001, Sizes1700000000002);
  await history.up();
  const before = await history.catalog();
  await client.query(change);
  expect(await history.catalog()).not.toEqual(before);
});

it('names the migration that fails, and undoes it', async () => {
  const history = historyOf(Things1700000000001, Breaks1700000000003);
  await expect(history.up()).rejects.toThrow('up of Breaks1700000000003 failed');
  expect(Object.keys(await history.catalog())).toContain('table things');
});

it('refuses a migration of another service', async () => {
  await expect(historyOf(Things1700000000001).up(Sizes1700000000002)).rejects.toThrow('not a migration');
});
