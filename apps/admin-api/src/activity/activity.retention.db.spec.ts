import { eventually } from '@lyceum/testing';
import type { DataSource, QueryRunner } from 'typeorm';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { ActivityRetention } from './activity.retention.js';
import { ActivitySettings } from './activity.settings.js';

const WAITING = `
  select count(*)::int as n from pg_stat_activity
   where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;

let database: OpenDatabase;
beforeEach(async () => {
  database = await openDatabase();
});
afterEach(() => database.close());

const retention = (days = 400) => new ActivityRetention(database.dataSource, new ActivitySettings(days));

async function partitions(): Promise<string[]> {
  const rows = await database.dataSource.query<{ name: string }[]>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'activity'::regclass order by 1`,
  );
  return rows.map(({ name }) => name);
}

async function log(at: string, on: DataSource | QueryRunner = database.dataSource): Promise<void> {
  await on.query(
    `insert into activity (site_id, id, action, object_type, member_id, via, created_at)
     values (uuidv7(), uuidv7(), 'course.updated', 'course', uuidv7(), 'rest', $1)`,
    [at],
  );
}

async function places(): Promise<string[]> {
  const rows = await database.dataSource.query<{ name: string }[]>(
    'select tableoid::regclass::text as name from activity order by created_at',
  );
  return rows.map(({ name }) => name);
}

it('makes the partitions of the month and of three more, once', async () => {
  const at = new Date('2026-11-22T10:00:00Z');
  await Promise.all([1, 2, 3].map(() => retention().maintain(at)));
  await retention().maintain(at);
  const made = ['activity_2026_11', 'activity_2026_12', 'activity_2027_01', 'activity_2027_02'];
  expect(await partitions()).toEqual([...made, 'activity_default']);
  await log('2026-11-30T23:59:59.999Z');
  await log('2026-12-01T00:00:00.000Z');
  expect(await places()).toEqual(['activity_2026_11', 'activity_2026_12']);
});

it('takes rows of a month without a partition, and makes the partition around them later', async () => {
  await log('2026-10-05T10:00:00Z');
  await log('2026-11-05T10:00:00Z');
  expect(await places()).toEqual(['activity_default', 'activity_default']);
  await retention().maintain(new Date('2026-11-22T10:00:00Z'));
  expect(await places()).toEqual(['activity_2026_10', 'activity_2026_10']);
  await log('2026-12-01T00:00:00Z');
  await log('2028-01-01T00:00:00Z');
  expect((await places()).slice(2)).toEqual(['activity_2026_12', 'activity_default']);
  await expect(database.dataSource.query('delete from activity_2026_10')).rejects.toThrow('append-only');
  await expect(database.dataSource.query('truncate activity_2026_10')).rejects.toThrow('append-only');
  await expect(database.dataSource.query('truncate activity_2026_12')).rejects.toThrow('append-only');
  await expect(database.dataSource.query('truncate activity_default')).rejects.toThrow('append-only');
});

it('drops a month when all of it is older than the days that are kept, and not before', async () => {
  await retention().maintain(new Date('2026-11-22T10:00:00Z'));
  const end = Date.parse('2026-12-01T00:00:00Z') + 400 * 86_400_000;
  await retention().maintain(new Date(end - 1));
  expect((await partitions())[0]).toBe('activity_2026_11');
  await retention().maintain(new Date(end));
  expect((await partitions())[0]).toBe('activity_2026_12');
});

it('drops nothing in a deployment that keeps everything', async () => {
  await retention().maintain(new Date('2026-11-22T10:00:00Z'));
  await retention(0).maintain(new Date('2126-11-22T10:00:00Z'));
  expect((await partitions())[0]).toBe('activity_2026_11');
});

it('waits for a row that is being written in a month without a partition', async () => {
  const at = '2026-11-05T10:00:00Z';
  const runner = database.dataSource.createQueryRunner();
  await runner.startTransaction();
  await log(at, runner);
  const made = retention().maintain(new Date(at));
  await eventually(
    () => database.dataSource.query<{ n: number }[]>(WAITING),
    ([row]) => row?.n === 1,
  );
  await runner.commitTransaction();
  await runner.release();
  await made;
  expect(await places()).toEqual(['activity_2026_11']);
  expect(await partitions()).toContain('activity_2026_12');
});

it('leaves the partitions as they are while a long statement holds the table', async () => {
  const runner = database.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query('select 1 from activity');
  await log('2026-11-05T10:00:00Z');
  await expect(retention().maintain(new Date('2026-11-22T10:00:00Z'))).rejects.toThrow('lock timeout');
  await runner.rollbackTransaction();
  await runner.release();
  await retention().maintain(new Date('2026-11-22T10:00:00Z'));
  expect(await places()).toEqual(['activity_2026_11']);
});
