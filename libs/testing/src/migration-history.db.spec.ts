import { MigratedDatabase } from './migrated-database.js';

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

class LeavesTable1700000000004 {
  async up(runner: Runner): Promise<void> {
    await runner.query('create table if not exists left_over ()');
  }

  async down(): Promise<void> {}
}

class Others1700000000005 {
  async up(runner: Runner): Promise<void> {
    await runner.query('create table others (id int primary key, thing_id int references things)');
    await runner.query('alter table things add column other_id int references others');
  }

  async down(): Promise<void> {}
}

class Both1700000000006 {
  async up(runner: Runner): Promise<void> {
    await runner.query('alter table things add column if not exists more int');
    await runner.query('create index if not exists others_by_thing on others (thing_id)');
  }

  async down(): Promise<void> {}
}

class EachAlone1700000000007 extends Both1700000000006 {
  readonly transaction = false;
}

let database: MigratedDatabase;

afterEach(() => database.close());

async function historyOf(...migrations: Function[]): Promise<MigratedDatabase['history']> {
  database = await MigratedDatabase.open('school', migrations);
  return database.history;
}

it('runs migrations in the order of their timestamps, up to one and down to one', async () => {
  const history = await historyOf(Sizes1700000000002, Things1700000000001);
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
  const history = await historyOf(Things1700000000001, Sizes1700000000002);
  await history.up();
  const before = await history.catalog();
  await database.query(change);
  expect(await history.catalog()).not.toEqual(before);
});

it('names the migration that fails, and undoes it', async () => {
  const history = await historyOf(Things1700000000001, Breaks1700000000003);
  await expect(history.up()).rejects.toThrow('up of Breaks1700000000003 failed');
  expect(Object.keys(await history.catalog())).toContain('table things');
});

it('refuses a migration of another service', async () => {
  const history = await historyOf(Things1700000000001);
  await expect(history.up(Sizes1700000000002)).rejects.toThrow('not a migration');
});

it('shows in a round trip what a step leaves behind', async () => {
  const history = await historyOf(Things1700000000001, LeavesTable1700000000004);
  const { empty, up, down, again } = await history.roundTrip();
  expect(Object.keys(up)).toContain('table things');
  expect(again).toEqual(up);
  expect(Object.keys(empty)).toEqual([]);
  expect(Object.keys(down)).toEqual(['table left_over']);
});

it('names the tables that a transaction of a migration locks together', async () => {
  const steps = [Things1700000000001, Others1700000000005, EachAlone1700000000007];
  const alone = await historyOf(...steps);
  await alone.up();
  expect(alone.lockedTogether).toEqual({});
  await database.close();
  const together = await historyOf(...steps, Both1700000000006);
  await together.up();
  expect(together.lockedTogether).toEqual({ Both1700000000006: ['others', 'things'] });
});
