import { Logger } from '@nestjs/common';
import { testPostgres } from '@lyceum/testing';
import type { TestPostgres } from '@lyceum/testing';
import pg from 'pg';
import type { EntityManager } from 'typeorm';
import { poolSettings } from './database-options.js';
import { Database } from './database.js';
import { preparedQuery } from './sql.js';

let server: TestPostgres;
let database: Database;
beforeAll(async () => {
  Logger.overrideLogger(false);
  server = await testPostgres(['school']);
});
afterAll(() => server.remove());

beforeEach(async () => {
  const limits = { connect: 10_000, query: 3_000, statement: 2_000 };
  const url = server.url('school');
  // One connection, so that the next transaction finds the state that the previous one left.
  database = await Database.open({
    url,
    poolSize: 1,
    applicationName: 'test',
    entities: [],
    migrations: [],
    limits,
  });
  await database.dataSource.query('create table notes (n int primary key, of int references notes deferrable)');
});
afterEach(async () => {
  await database.dataSource.query('drop table notes');
  await database.onApplicationShutdown();
});

const ADD = { name: 'add', text: 'insert into notes (n) values ($1) returning n' };
const KNOWN = { name: 'known', text: 'select n from notes order by n' };
const XID = { name: 'xid', text: 'select pg_current_xact_id()::text as xid' };

const add = (tx: EntityManager, n: unknown, options?: { commits: boolean }) => preparedQuery(tx, ADD, [n], options);
const known = async () => (await database.dataSource.query<{ n: number }[]>(KNOWN.text)).map(({ n }) => n);
const transaction = <T>(work: (tx: EntityManager) => Promise<T>): Promise<T> => database.dataSource.transaction(work);

async function useOnce(pool: pg.Pool, text: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(text);
  } finally {
    client.release();
  }
}

/** The writes to PostgreSQL while the work runs. */
async function writes(work: () => Promise<unknown>): Promise<number> {
  const pool = Reflect.get(database.dataSource.driver, 'master') as pg.Pool;
  const client = await pool.connect();
  const { stream } = Reflect.get(client, 'connection') as { stream: { _writev: unknown; _write: unknown } };
  const spies = [jest.spyOn(stream, '_write' as never), jest.spyOn(stream, '_writev' as never)];
  client.release();
  await work();
  const count = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  for (const spy of spies) spy.mockRestore();
  return count;
}

describe('a transaction', () => {
  it('begins with its first statement, and ends with its last one', async () => {
    const count = await writes(() =>
      transaction(async (tx) => {
        await add(tx, 1);
        await add(tx, 2);
        await add(tx, 3, { commits: true });
      }),
    );
    expect(count).toBe(3);
    expect(await known()).toEqual([1, 2, 3]);
  });

  it('sends one write for its only statement', async () => {
    expect(await writes(() => transaction((tx) => add(tx, 1, { commits: true })))).toBe(1);
    expect(await known()).toEqual([1]);
  });

  it('sends nothing without a statement', async () => {
    expect(await writes(() => transaction(() => Promise.resolve()))).toBe(0);
    await expect(transaction(() => Promise.reject(new Error('early')))).rejects.toThrow('early');
    expect(await known()).toEqual([]);
  });

  it('contains a text without values that is its first statement', async () => {
    const failed = transaction(async (tx) => {
      await tx.query('insert into notes (n) values (1); insert into notes (n) values (2)');
      throw new Error('undone');
    });
    await expect(failed).rejects.toThrow('undone');
    expect(await known()).toEqual([]);
  });

  it('sends statements together that start at the same time, in one transaction and in their order', async () => {
    const results: unknown[] = [];
    const count = await writes(() =>
      transaction(async (tx) => {
        results.push(...(await Promise.all([preparedQuery(tx, XID, []), add(tx, 1), preparedQuery(tx, KNOWN, [])])));
        results.push(await preparedQuery(tx, XID, []));
      }),
    );
    const [xid, added, seen, later] = results;
    expect([added, seen]).toEqual([[{ n: 1 }], [{ n: 1 }]]);
    expect(later).toEqual(xid);
    // The commit is the third write.
    expect(count).toBe(3);
  });
});

describe('a failure', () => {
  it('undoes statements of the same write, and skips those behind it', async () => {
    const failed = transaction((tx) => Promise.all([add(tx, 1), add(tx, 1), add(tx, 2, { commits: true })]));
    await expect(failed).rejects.toMatchObject({ code: '23505' });
    expect(await known()).toEqual([]);
    // The statements that the server skipped are not known to be parsed.
    await transaction((tx) => Promise.all([add(tx, 3), preparedQuery(tx, KNOWN, []), preparedQuery(tx, XID, [])]));
    expect(await known()).toEqual([3]);
  });

  it('leaves a new statement behind it to be parsed again', async () => {
    const other = { name: 'other', text: 'select $1::int as n' };
    const failed = transaction((tx) => Promise.all([add(tx, 'x'), preparedQuery(tx, other, [1])]));
    await expect(failed).rejects.toMatchObject({ code: '22P02' });
    expect(await transaction((tx) => Promise.all([add(tx, 1), preparedQuery(tx, other, [1])]))).toEqual([
      [{ n: 1 }],
      [{ n: 1 }],
    ]);
  });

  it('fails the last statement, when the commit fails', async () => {
    const text = 'insert into notes (n, of) values ($1, 9)';
    const failed = transaction(async (tx) => {
      await tx.query('set constraints all deferred');
      await preparedQuery(tx, { name: 'add_of', text }, [1], { commits: true });
    });
    await expect(failed).rejects.toMatchObject({ code: '23503' });
    expect(await known()).toEqual([]);
    await transaction((tx) => add(tx, 2));
    expect(await known()).toEqual([2]);
  });

  it('commits nothing, when a value cannot be sent', async () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    await expect(transaction((tx) => Promise.all([add(tx, 1), add(tx, circle, { commits: true })]))).rejects.toThrow(
      'circular',
    );
    expect(await known()).toEqual([]);
  });

  it('closes the connection, when a response is late', async () => {
    const sleep = { name: 'sleep', text: 'select pg_sleep($1)' };
    const pid = { name: 'pid', text: 'select pg_backend_pid() as pid' };
    const before = await transaction((tx) => preparedQuery(tx, pid, []));
    const slow = transaction(async (tx) => {
      await tx.query('set local statement_timeout = 0');
      await Promise.all([add(tx, 1), preparedQuery(tx, sleep, [4])]);
    });
    await expect(slow).rejects.toThrow('Query read timeout');
    expect(await transaction((tx) => preparedQuery(tx, pid, []))).not.toEqual(before);
    expect(await known()).toEqual([]);
  });
});

it.each([
  ['with a callback', (pool: pg.Pool) => pool.query('select pg_sleep(2)')],
  ['with a promise', (pool: pg.Pool) => useOnce(pool, 'select pg_sleep(2)')],
])('closes the connection, when the response of a query %s is late', async (_, sleep) => {
  const limits = { statement: 0, query: 300 };
  const pool = new pg.Pool({ ...poolSettings(limits), connectionString: server.url('school'), max: 1 });
  const ended = new Promise((resolve) => pool.once('connect', (client) => client.once('end', () => resolve(null))));
  await expect(sleep(pool)).rejects.toThrow('Query read timeout');
  await ended;
  await pool.end();
});

it.each([
  ['prepared', (tx: EntityManager) => add(tx, 2)],
  ['sent as a text', (tx: EntityManager) => tx.query('insert into notes (n) values (2)')],
])('refuses a statement behind the last one, %s', async (_, addLate) => {
  const late = transaction(async (tx) => {
    await add(tx, 1, { commits: true });
    await addLate(tx);
  });
  await expect(late).rejects.toThrow('The transaction has ended');
  expect(await known()).toEqual([1]);
});

it('refuses another text of a name', async () => {
  await transaction((tx) => add(tx, 1));
  const renamed = transaction((tx) => Promise.all([add(tx, 3), preparedQuery(tx, { ...ADD, text: 'select 1' }, [])]));
  await expect(renamed).rejects.toThrow('The statement add has another text');
  expect(await known()).toEqual([1]);
});
