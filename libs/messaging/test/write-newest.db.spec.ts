import { DataSource } from 'typeorm';
import { lockRows, writeNewest } from '../src/index.js';
import { messagingDatabase } from './service.js';

const THINGS = { table: 'thing', key: ['site', 'id'] };

let source: DataSource;
beforeAll(async () => {
  source = await new DataSource({ type: 'postgres', url: await messagingDatabase() }).initialize();
  await source.query(
    `CREATE TABLE thing (site int, id int, epoch int NOT NULL, version int NOT NULL, name text, tags text[], files jsonb, seen timestamptz,
                         own text DEFAULT 'ours', PRIMARY KEY (site, id))`,
  );
});
beforeEach(() => source.query('TRUNCATE thing'));
afterAll(() => source.destroy());

const thing = (id: number, version: number, name = `${id} v${version}`) => ({
  site: 1,
  id,
  epoch: 1,
  version,
  name,
  tags: ['a', 'b'],
  files: [{ size: 1 }],
  seen: null,
});

const stored = async (): Promise<string[]> => {
  const rows = await source.query<{ name: string }[]>('SELECT name FROM thing ORDER BY site, id');
  return rows.map(({ name }) => name);
};

test('writes the newest state of a row, in every order', async () => {
  await writeNewest(source.manager, THINGS, [thing(2, 1), thing(1, 3), thing(1, 2), thing(2, 2)]);
  expect(await stored()).toEqual(['1 v3', '2 v2']);
});

test('keeps a row of the same or a newer version', async () => {
  await writeNewest(source.manager, THINGS, [thing(1, 2), thing(2, 2), thing(3, 2)]);
  await writeNewest(source.manager, THINGS, [thing(1, 1), thing(2, 2, 'other'), thing(3, 3)]);
  expect(await stored()).toEqual(['1 v2', '2 v2', '3 v3']);
});

test('compares the epoch before the version: a restored owner restarts with lower versions', async () => {
  const restored = (version: number) => ({ ...thing(1, version, `restored v${version}`), epoch: 2 });
  await writeNewest(source.manager, THINGS, [thing(1, 5)]);
  await writeNewest(source.manager, THINGS, [restored(3)]);
  expect(await stored()).toEqual(['restored v3']);
  await writeNewest(source.manager, THINGS, [thing(1, 6)]);
  expect(await stored()).toEqual(['restored v3']);
  await writeNewest(source.manager, THINGS, [thing(1, 7), restored(4), thing(1, 8)]);
  expect(await stored()).toEqual(['restored v4']);
});

test('writes every column type and keeps columns that events do not have', async () => {
  await writeNewest(source.manager, THINGS, [{ ...thing(1, 1), seen: '2026-11-20T10:00:00Z' }]);
  await source.query(`UPDATE thing SET own = 'changed'`);
  await writeNewest(source.manager, THINGS, [{ ...thing(1, 2), seen: '2026-11-20T10:00:00Z' }]);
  expect(await source.query('SELECT * FROM thing')).toEqual([
    { ...thing(1, 2), seen: new Date('2026-11-20T10:00:00Z'), own: 'changed' },
  ]);
});

test('replaces lone surrogates by the replacement character', async () => {
  await writeNewest(source.manager, THINGS, [thing(1, 1, 'half \ud83d of it')]);
  expect(await stored()).toEqual(['half \ufffd of it']);
});

test('compares the given columns instead of epoch and version', async () => {
  const bySight = { ...THINGS, newest: ['seen', 'version'] };
  await writeNewest(source.manager, bySight, [
    { ...thing(1, 9), seen: '2026-11-20T10:00:00Z' },
    { ...thing(1, 1), seen: '2026-11-20T11:00:00Z' },
    { ...thing(1, 2), seen: '2026-11-20T11:00:00Z' },
  ]);
  expect(await stored()).toEqual(['1 v2']);
  await writeNewest(source.manager, bySight, [{ ...thing(1, 10), seen: '2026-11-20T10:30:00Z' }]);
  expect(await stored()).toEqual(['1 v2']);
});

test('sends no statement for no rows', async () => {
  await writeNewest(source.manager, { table: 'missing', key: ['id'] }, []);
  expect(await stored()).toEqual([]);
});

test('locks rows without a change, and creates missing ones that any event replaces', async () => {
  await writeNewest(source.manager, THINGS, [thing(2, 1)]);
  const outside = await source.query<{ place: string }[]>('SELECT ctid::text AS place FROM thing');
  await source.transaction(async (tx) => {
    await lockRows(tx, THINGS, [
      { site: 1, id: 2, name: 'none' },
      { site: 1, id: 1, name: 'none' },
      { site: 1, id: 1, name: 'none' },
    ]);
    // Neither waits: the lock of one row is held, and the other row is not committed.
    expect(await source.query('SELECT id FROM thing FOR UPDATE SKIP LOCKED')).toEqual([]);
    await expect(lockRows(tx, THINGS, [])).resolves.toBeUndefined();
  });
  expect(await source.query('SELECT ctid::text AS place FROM thing WHERE id = 2')).toEqual(outside);
  expect(await stored()).toEqual(['none', '2 v1']);
  await writeNewest(source.manager, THINGS, [thing(1, 1)]);
  expect(await stored()).toEqual(['1 v1', '2 v1']);
});
