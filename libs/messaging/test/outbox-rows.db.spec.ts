import { eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import { Outbox } from '../src/index.js';
import type { RowPart } from '../src/index.js';
import { addCourse } from './events.js';
import { closeServices, messagingDatabase, startService } from './service.js';

let nats: TestNats;
beforeEach(async () => {
  nats = await testNats();
});
afterEach(async () => {
  await closeServices();
  await nats.stop();
});

test('writes added rows with the last statement, with or without events, and none of an undone savepoint', async () => {
  const database = await messagingDatabase();
  const school = await startService({ service: 'admin-api', nats: nats.environment('admin-api'), database });
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
    const undone = outbox.savepoint(manager, async (inner) => {
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
