import { eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import { LIMITS } from '../src/connection/limits.js';
import { Outbox, savepoint } from '../src/index.js';
import type { RowPart } from '../src/index.js';
import { addCourse, courseId } from './events.js';
import { closeServices, messagingDatabase, startService } from './service.js';
import type { TestService } from './service.js';
import { storedEvents } from './stored-events.js';

let nats: TestNats;
let database: string;
beforeEach(async () => {
  nats = await testNats();
  database = await messagingDatabase();
});
afterEach(async () => {
  await closeServices();
  await nats.stop();
});

const startSchool = (): Promise<TestService> =>
  startService({ service: 'admin-api', nats: nats.environment('admin-api'), database });

const stored = () => storedEvents(nats);

async function waiting(service: TestService): Promise<number> {
  const rows: { n: number }[] = await service.get(DataSource).query('SELECT count(*)::int AS n FROM outbox');
  return rows[0]?.n ?? -1;
}

const emptied = (service: TestService): Promise<boolean> => eventually(async () => (await waiting(service)) === 0);

test('writes added rows with the last statement, with or without events, and none of an undone savepoint', async () => {
  const school = await startSchool();
  const outbox = school.get(Outbox);
  const source = school.get(DataSource);
  await source.query('CREATE TABLE parts (n int PRIMARY KEY)');
  const part = (n: number): RowPart => ({
    name: 'parts',
    text: 'INSERT INTO parts VALUES ($1) RETURNING 1',
    values: [n],
  });
  const known = async () => (await source.query<{ n: number }[]>('SELECT n FROM parts ORDER BY n')).map(({ n }) => n);
  const before = await outbox.transaction(async (manager) => {
    await outbox.addRows(manager, part(1));
    await addCourse(school, manager, 1, 1);
    const undone = savepoint(manager, async (inner) => {
      await outbox.addRows(inner, part(2));
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    const seen = await manager.query<unknown[]>('SELECT n FROM parts');
    expect(await outbox.finish(manager, { ...part(3), name: 'key' })).toBe(true);
    return seen;
  });
  expect(before).toEqual([]);
  const statements = await source.query<unknown[]>('SELECT cmin FROM parts GROUP BY cmin');
  expect(statements).toHaveLength(1);
  expect(await known()).toEqual([1, 3]);
  await outbox.transaction((manager) => outbox.addRows(manager, part(4)));
  await source.transaction((manager) => outbox.addRows(manager, part(5)));
  expect(await known()).toEqual([1, 3, 4, 5]);
  await eventually(async () => (await source.query<unknown[]>('SELECT 1 FROM outbox')).length === 0);
});

/** Notes each statement that inserts messages, with the rows of parts that it sees at its end. */
async function noteStatements(source: DataSource): Promise<() => Promise<{ aggregates: string[]; parts: number }[]>> {
  await source.query(`
    CREATE TABLE parts (n int PRIMARY KEY);
    CREATE TABLE statements (n int GENERATED ALWAYS AS IDENTITY, aggregates text[], parts int);
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO statements (aggregates, parts)
        VALUES ((SELECT array_agg(aggregate_id ORDER BY seq) FROM added), (SELECT count(*) FROM parts));
        RETURN NULL;
      END $$;
    CREATE TRIGGER note AFTER INSERT ON outbox REFERENCING NEW TABLE AS added EXECUTE FUNCTION note();
  `);
  return () => source.query('SELECT aggregates, parts FROM statements ORDER BY n');
}

const partOf = (n: number): RowPart => ({
  name: 'parts',
  text: 'INSERT INTO parts (n) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1',
  values: [n],
});

test('writes the events of a transaction with one statement, in their order, with the row that ends it', async () => {
  const school = await startSchool();
  const outbox = school.get(Outbox);
  const statements = await noteStatements(school.get(DataSource));
  const finished = await outbox.transaction(async (manager) => {
    for (const n of [3, 1, 2]) await addCourse(school, manager, n, 1);
    return outbox.finish(manager, partOf(1));
  });
  expect(finished).toBe(true);
  expect(await statements()).toEqual([{ aggregates: [3, 1, 2].map(courseId), parts: 1 }]);
  await emptied(school);
  expect((await stored()).map(({ event }) => event.aggregate_id)).toEqual([3, 1, 2].map(courseId));
});

test('writes nothing when the row that ends the transaction exists, with or without events', async () => {
  const school = await startSchool();
  const outbox = school.get(Outbox);
  const statements = await noteStatements(school.get(DataSource));
  await outbox.transaction((manager) => outbox.finish(manager, partOf(1)));
  for (const events of [0, 1, 2]) {
    const failed = outbox.transaction(async (manager) => {
      for (let n = 1; n <= events; n += 1) await addCourse(school, manager, n, 1);
      if (!(await outbox.finish(manager, partOf(1)))) throw new Error('It exists');
    });
    await expect(failed).rejects.toThrow('It exists');
  }
  expect(await statements()).toEqual([]);
  expect(await waiting(school)).toBe(0);
});

test('writes many events with several statements, in their order, and the last row once', async () => {
  const school = await startSchool();
  const outbox = school.get(Outbox);
  const statements = await noteStatements(school.get(DataSource));
  const numbers = Array.from({ length: 2 * LIMITS.outboxStatement + 1 }, (_, n) => n + 1);
  await outbox.transaction(async (manager) => {
    for (const n of numbers) await addCourse(school, manager, n, 1);
    expect(await outbox.finish(manager, partOf(1))).toBe(true);
  });
  const written = await statements();
  expect(written.map(({ parts }) => parts)).toEqual([0, 0, 1]);
  expect(written.flatMap(({ aggregates }) => aggregates)).toEqual(numbers.map(courseId));
  await emptied(school);
});

test('plans the statement of events once for a connection', async () => {
  const school = await startSchool();
  const outbox = school.get(Outbox);
  await noteStatements(school.get(DataSource));
  const plans = `SELECT generic_plans > 0 AS kept FROM pg_prepared_statements WHERE name LIKE 'outbox_one_with%'`;
  const kept = new Set<boolean>();
  // The relay uses connections of the same pool.
  for (let n = 1; n <= 100 && !kept.has(true); n += 1) {
    await outbox.transaction(async (manager) => {
      for (const plan of await manager.query<{ kept: boolean }[]>(plans)) kept.add(plan.kept);
      await addCourse(school, manager, n, 1);
      await outbox.finish(manager, partOf(n));
    });
  }
  expect(kept).toContain(true);
  await emptied(school);
});
