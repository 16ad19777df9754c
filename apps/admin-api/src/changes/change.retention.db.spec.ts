import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { ChangeRepository } from './change.repository.js';
import { ChangeRetention } from './change.retention.js';

const DAY_MS = 86_400_000;

let database: OpenDatabase;
let retention: ChangeRetention;
beforeAll(async () => {
  database = await openDatabase();
  retention = new ChangeRetention(database.dataSource, new ChangeRepository(database.sql));
});
afterAll(() => database.close());

async function partitions(): Promise<string[]> {
  const text = `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'changes'::regclass order by 1`;
  return (await database.dataSource.query<{ name: string }[]>(text)).map(({ name }) => name);
}
const partitionOf = (at: Date): string => `changes_${at.toISOString().slice(0, 7).replace('-', '_')}`;

it('keeps the months of the last 31 days', async () => {
  const now = new Date();
  const month = (later: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later, 1));
  await retention.maintain(now);
  const kept = [0, 1, 2].map((later) => partitionOf(month(later)));
  expect(await partitions()).toEqual([...kept, 'changes_default']);
  const end = month(1).getTime() + 31 * DAY_MS;
  await retention.maintain(new Date(end - 1));
  expect(await partitions()).toContain(partitionOf(now));
  await retention.maintain(new Date(end));
  expect(await partitions()).not.toContain(partitionOf(now));
});

it('keeps the months while the clock of its replica is ahead by years', async () => {
  const now = new Date();
  await retention.maintain(now);
  jest.useFakeTimers({ now: Date.UTC(2126, 0), doNotFake: ['nextTick', 'setImmediate', 'setTimeout'] });
  await retention.run().finally(() => jest.useRealTimers());
  expect(await partitions()).toContain(partitionOf(now));
});

it('keeps teachers of deleted courses for a week longer than changes', async () => {
  const site_id = randomUUID();
  const now = new Date();
  const keep = (deleted: Date) =>
    database.dataSource.query(
      `insert into teachers_of_deleted_courses (site_id, member_id, course_id, deleted_at)
       values ($1, gen_random_uuid(), gen_random_uuid(), $2)`,
      [site_id, deleted],
    );
  const oldest = new Date(now.getTime() - 38 * DAY_MS);
  await keep(oldest);
  await keep(new Date(oldest.getTime() - 1));
  await retention.maintain(now);
  const kept = 'select deleted_at from teachers_of_deleted_courses where site_id = $1';
  expect(await database.dataSource.query<unknown[]>(kept, [site_id])).toEqual([{ deleted_at: oldest }]);
});
