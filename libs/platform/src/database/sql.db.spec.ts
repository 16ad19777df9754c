import { Logger } from '@nestjs/common';
import { eventually, testPostgres } from '@lyceum/testing';
import type { TestPostgres } from '@lyceum/testing';
import { isDatabaseUnavailable } from './database-error.js';
import { Database } from './database.js';
import { runUntilAborted } from '../telemetry/request-context.js';
import { Sql } from './sql.js';

const PID = { name: 'pid', text: 'SELECT pg_backend_pid() AS pid' };

let server: TestPostgres;
let database: Database;
let sql: Sql;
beforeAll(async () => {
  Logger.overrideLogger(false);
  server = await testPostgres(['school']);
});
afterAll(() => server.remove());

/** Limits that a healthy server does not reach on a busy machine, and that a test can wait for. */
const LIMITS = { connect: 10_000, query: 3_000, statement: 2_000 };

const open = (limits: Partial<typeof LIMITS> = {}, applicationName = 'test'): Promise<Database> =>
  Database.open({
    url: server.url('school'),
    // One connection, so that the next query finds the state that the previous one left.
    poolSize: 1,
    applicationName,
    entities: [],
    migrations: [],
    limits: { ...LIMITS, ...limits },
  });

beforeEach(async () => {
  database = await open();
  sql = new Sql(database.dataSource);
});
afterEach(() => database.onApplicationShutdown());

const pid = async () => (await sql.query<{ pid: number }>(PID, []))[0]?.pid ?? 0;
/** Number of connections of the application that run `pg_sleep`. */
const sleeping = async (application: string): Promise<number> => {
  const text = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = $1 AND wait_event = 'PgSleep'`;
  return (await sql.query<{ n: number }>({ name: 'sleeping', text }, [application]))[0]?.n ?? 0;
};
const unavailable = (error: unknown) => isDatabaseUnavailable(error);

describe('Sql', () => {
  it('returns rows for positional values', async () => {
    const statement = { name: 'add', text: 'SELECT $1::int + $2::int AS sum, $3::text AS word' };
    expect(await sql.query(statement, [1, 2, `'; DROP`])).toEqual([{ sum: 3, word: `'; DROP` }]);
  });

  it('returns an exact number for a bigint, and rejects an unsafe one', async () => {
    const statement = { name: 'bigint', text: 'SELECT $1::bigint AS n' };
    for (const n of [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      expect(await sql.query(statement, [n])).toEqual([{ n }]);
    }
    await expect(sql.query(statement, ['9007199254740992'])).rejects.toThrow(RangeError);
    expect(await sql.query(statement, [1])).toEqual([{ n: 1 }]);
  });

  it('prepares a statement once per connection', async () => {
    const prepared = { name: 'prepared', text: 'SELECT name FROM pg_prepared_statements WHERE name = $1' };
    await sql.query(prepared, ['prepared']);
    expect(await sql.query(prepared, ['prepared'])).toEqual([{ name: 'prepared' }]);
  });

  it('keeps the connection after a statement error', async () => {
    const before = await pid();
    await expect(sql.query({ name: 'divide', text: 'SELECT 1 / $1::int' }, [0])).rejects.toMatchObject({
      code: '22012',
    });
    expect(await pid()).toBe(before);
  });

  it('cancels a statement at its time limit', async () => {
    const error = await sql.query({ name: 'sleep', text: 'SELECT pg_sleep(5)' }, []).catch((fault: unknown) => fault);
    expect(error).toMatchObject({ code: '57014' });
    expect(unavailable(error)).toBe(true);
    expect(await pid()).toBeGreaterThan(0);
  });

  it('sends nothing and keeps the connection when the work was aborted while waiting for it', async () => {
    const before = await pid();
    const abort = new AbortController();
    const busy = database.dataSource.query('SELECT pg_sleep(0.1)');
    const waiting = runUntilAborted(abort.signal, () => sql.query({ name: 'divide', text: 'SELECT 1 / $1::int' }, [0]));
    abort.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await busy;
    expect(await pid()).toBe(before);
  });

  it('cancels an aborted statement, in PostgreSQL too, and continues on another connection', async () => {
    const patient = await open({ statement: 60_000, query: 60_000 }, 'patient');
    const abort = new AbortController();
    const asking = runUntilAborted(abort.signal, () =>
      new Sql(patient.dataSource).query({ name: 'sleep', text: 'SELECT pg_sleep(50)' }, []),
    ).catch((fault: unknown) => fault);
    await eventually(() => sleeping('patient'));
    abort.abort(new Error('gone'));
    expect(await asking).toMatchObject({ message: 'gone' });
    expect(await new Sql(patient.dataSource).query({ name: 'one', text: 'SELECT 1 AS n' }, [])).toEqual([{ n: 1 }]);
    await eventually(async () => (await sleeping('patient')) === 0);
    await patient.onApplicationShutdown();
  });

  it('keeps the connection of a statement that ended before the abort', async () => {
    const before = await pid();
    const abort = new AbortController();
    await runUntilAborted(abort.signal, pid);
    abort.abort(new Error('gone'));
    expect(await pid()).toBe(before);
  });

  it('closes an unresponsive connection, after a query and after a transaction', async () => {
    for (const ask of [pid, () => database.dataSource.transaction((manager) => manager.query('SELECT 1'))]) {
      const deaf = await pid();
      process.kill(deaf, 'SIGSTOP');
      try {
        const error = await ask().then(
          () => undefined,
          (fault: unknown) => fault,
        );
        expect(unavailable(error)).toBe(true);
        expect(await pid()).not.toBe(deaf);
      } finally {
        process.kill(deaf, 'SIGCONT');
      }
    }
  });

  it('fails in time when no connection is free', async () => {
    const hasty = await open({ connect: 500 });
    const queries = Array.from({ length: 9 }, () => hasty.dataSource.query('SELECT pg_sleep(0.15)'));
    const results = await Promise.allSettled(queries);
    const failed = results.filter((result) => result.status === 'rejected');
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.every((result) => unavailable(result.reason))).toBe(true);
    await eventually(async () => (await hasty.dataSource.query<unknown[]>('SELECT 1').catch(() => [])).length === 1);
    await hasty.onApplicationShutdown();
  });

  it('fails without ending the process when the connection breaks during a query', async () => {
    const broken = await open({ statement: 60_000, query: 60_000 }, 'broken');
    const [{ pid: backend }] = await broken.dataSource.query<[{ pid: number }]>(PID.text);
    const asking = new Sql(broken.dataSource)
      .query({ name: 'sleep', text: 'SELECT pg_sleep(50)' }, [])
      .catch((fault: unknown) => fault);
    await eventually(() => sleeping('broken'));
    process.kill(backend, 'SIGKILL');
    expect(await asking).toMatchObject({ message: 'Connection terminated unexpectedly' });
    expect(unavailable(await asking)).toBe(true);
    // PostgreSQL restarts itself after that.
    const again = await eventually(
      () => new Sql(broken.dataSource).query<{ pid: number }>(PID, []).catch((fault: unknown) => fault),
      (result) => !unavailable(result),
    );
    expect(again).toEqual([{ pid: expect.any(Number) }]);
    expect(again).not.toEqual([{ pid: backend }]);
    await broken.onApplicationShutdown();
  });
});
