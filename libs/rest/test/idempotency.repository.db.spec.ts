import { randomBytes, randomUUID } from 'node:crypto';
import { preparedQuery } from '@lyceum/platform';
import { openDatabase } from './open-database.js';
import type { OpenDatabase } from './open-database.js';
import { IdempotencyRepository } from '../src/idempotency/idempotency.repository.js';
import type { KeyedRequest } from '../src/idempotency/idempotency.repository.js';

const keys = new IdempotencyRepository();
let database: OpenDatabase;

beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.close());

const request = (): KeyedRequest => ({ id: randomBytes(32), site_id: randomUUID(), requestHash: randomBytes(32) });
const age = (id: Buffer, interval: string) =>
  database.dataSource.query(`update idempotency_keys set created_at = now() - $2::interval where id = $1`, [
    id,
    interval,
  ]);
const take = (id: Buffer) => database.dataSource.transaction((tx) => keys.take(tx, id));
const store = (asked: KeyedRequest, ending: object) =>
  database.dataSource.transaction(async (tx) => {
    const { values, ...statement } = keys.rowOf(asked, ending);
    return (await preparedQuery(tx, statement, values)).length === 1;
  });

it('locks a key for one transaction at a time, until it ends', async () => {
  const { id } = request();
  await database.dataSource
    .transaction(async (tx) => {
      expect(await keys.take(tx, id)).toEqual({ taken: true, running: false, remembered: undefined });
      expect((await take(id)).taken).toBe(false);
      expect((await take(request().id)).taken).toBe(true);
      throw new Error('undone');
    })
    .catch(() => undefined);
  expect((await take(id)).taken).toBe(true);
});

it('stores a response with the order of its members', async () => {
  const asked = request();
  expect(await store(asked, { z: 1, a: { y: null, b: [2] } })).toBe(true);
  const { remembered } = await take(asked.id);
  expect(remembered?.requestHash.equals(asked.requestHash)).toBe(true);
  expect(JSON.stringify(remembered?.ending)).toBe('{"z":1,"a":{"y":null,"b":[2]}}');
});

it('reports a lost race to the second transaction that stores a key', async () => {
  const asked = request();
  await store(asked, { first: true });
  expect(await store(asked, { first: false })).toBe(false);
  expect((await take(asked.id)).remembered?.ending).toEqual({ first: true });
});

describe('a key whose step runs', () => {
  const mark = (asked: KeyedRequest) => database.dataSource.transaction((tx) => keys.mark(tx, asked));

  it('marks it once, without an answer', async () => {
    const asked = request();
    expect([await mark(asked), await mark(asked)]).toEqual([true, false]);
    expect(await take(asked.id)).toEqual({ taken: true, running: true, remembered: undefined });
  });

  it('frees it when the step ends without an answer, and ten seconds after a server was killed', async () => {
    const [ended, killed] = [request(), request()];
    for (const asked of [ended, killed]) await mark(asked);
    await database.dataSource.transaction((tx) => keys.unmark(tx, ended.id));
    const pass = `update idempotency_keys set running_until = running_until - $2::interval where id = $1`;
    await database.dataSource.query(pass, [killed.id, '9 seconds']);
    expect(await mark(killed)).toBe(false);
    await database.dataSource.query(pass, [killed.id, '1 second']);
    for (const asked of [ended, killed]) {
      expect(await take(asked.id)).toMatchObject({ running: false, remembered: undefined });
      expect(await mark(asked)).toBe(true);
    }
  });

  it('stores its answer, which is not marked or forgotten then', async () => {
    const asked = request();
    await mark(asked);
    expect(await store(asked, { first: true })).toBe(true);
    await database.dataSource.transaction((tx) => keys.unmark(tx, asked.id));
    expect(await mark(asked)).toBe(false);
    expect(await take(asked.id)).toMatchObject({ running: false, remembered: { ending: { first: true } } });
  });

  it('purges it after the step alone', async () => {
    await database.dataSource.query('delete from idempotency_keys');
    const asked = request();
    await mark(asked);
    expect(await keys.purge(database.dataSource.manager, 2)).toBe(0);
    // The column rounds to milliseconds.
    await database.dataSource.query(`update idempotency_keys set running_until = now() - interval '1 millisecond'`);
    expect(await keys.purge(database.dataSource.manager, 2)).toBe(1);
  });
});

it.each([
  ['23 hours 59 minutes', true],
  // PostgreSQL rounds the time of a key to milliseconds.
  ['24 hours 1 millisecond', false],
])('keeps a key after %s: %s', async (interval, known) => {
  const asked = request();
  await store(asked, { first: true });
  await age(asked.id, interval);
  expect((await take(asked.id)).remembered !== undefined).toBe(known);
  expect(await store(asked, { first: false })).toBe(!known);
});

it('purges only expired keys, a limited number at once', async () => {
  await database.dataSource.query('delete from idempotency_keys');
  const [fresh, ...old] = [request(), request(), request(), request()];
  for (const asked of [fresh, ...old]) if (asked !== undefined) await store(asked, {});
  for (const { id } of old) await age(id, '25 hours');
  const purge = () => keys.purge(database.dataSource.manager, 2);
  expect([await purge(), await purge(), await purge()]).toEqual([2, 1, 0]);
  expect(await database.dataSource.query('select id from idempotency_keys')).toEqual([{ id: fresh?.id }]);
});
