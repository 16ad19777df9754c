import { Sql } from '@lyceum/platform';
import { testDatabase } from '@lyceum/testing';
import type { TestDatabase } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import { FanOutsQueue } from '#src/fan-outs/fan-outs.queue.js';
import { FanOutsRepository } from '#src/fan-outs/fan-outs.repository.js';
import { MailsQueue } from '#src/mails/mails.queue.js';
import { MailsRepository } from '#src/mails/mails.repository.js';
import { RemindersQueue } from '#src/reminders/reminders.queue.js';
import { RemindersRepository } from '#src/reminders/reminders.repository.js';

let database: TestDatabase;
let source: DataSource;

beforeAll(async () => {
  database = await testDatabase('learner');
  // All statements of one connection are in its transaction, in which now() stays the same.
  source = await new DataSource({ type: 'postgres', url: database.url, poolSize: 1 }).initialize();
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});
beforeEach(() => source.query('begin'));
afterEach(() => source.query('rollback'));

const OLDER = `now() - interval '31 days 1 second'`;
const YOUNGER = `now() - interval '31 days' + interval '1 second'`;
const BATCH = 10;

interface Aged {
  readonly table: string;
  /** SQL of a row with a label. `at` is the time that decides; null: the job has not ended. */
  readonly row: (label: string, at: string | null) => string;
  /** The label of a stored row. */
  readonly label: string;
  readonly sweep: (size: number) => Promise<number>;
}

const quoted = (at: string | null): string => at ?? 'null';

const reminders: Aged = {
  table: 'reminders',
  row: (
    label,
    at,
  ) => `insert into reminders (subject_id, minutes_before, site_id, kind, version, starts_at, due_at, title, ended_at)
    values (uuidv7(), 60, uuidv7(), 'event_starting', 1, now(), ${at ?? OLDER}, '${label}', ${quoted(at)})`,
  label: 'title',
  sweep: (size) => new RemindersRepository(source, new RemindersQueue(new Sql(source))).sweep(size),
};
const mails: Aged = {
  table: 'outbound_mails',
  row: (
    label,
    at,
  ) => `insert into outbound_mails (site_id, person_id, occasion, topic, created_at, due_at, ended_at, kind, parameters)
    values (uuidv7(), uuidv7(), '${label}', 'access', ${OLDER}, ${OLDER}, ${quoted(at)}, 'course_enrolled', '{}')`,
  label: 'occasion',
  sweep: (size) => new MailsRepository(new Sql(source), source, new MailsQueue(new Sql(source))).sweep(size),
};
const fanOuts: Aged = {
  table: 'fan_outs',
  row: (
    label,
    at,
  ) => `insert into fan_outs (site_id, occasion, kind, audience, created_at, due_at, ended_at, parameters)
    values (uuidv7(), '${label}', 'post_published', 'site', ${at ?? OLDER}, ${at ?? OLDER}, ${quoted(at)}, '{}')`,
  label: 'occasion',
  sweep: (size) => new FanOutsRepository(source, new FanOutsQueue(new Sql(source))).sweep(size),
};

async function labels({ table, label }: Aged): Promise<string[]> {
  const rows = await source.query<{ label: string }[]>(`select ${label} as label from ${table} order by 1`);
  return rows.map((row) => row.label);
}

describe.each([reminders, mails, fanOuts])('the retention of $table', (aged) => {
  it('removes a row that is a second older than 31 days, and keeps one that is a second younger', async () => {
    await source.query(aged.row('older', OLDER));
    await source.query(aged.row('younger', YOUNGER));
    expect(await aged.sweep(BATCH)).toBe(1);
    expect(await labels(aged)).toEqual(['younger']);
    expect(await aged.sweep(BATCH)).toBe(0);
  });

  it('removes no more rows than a batch', async () => {
    for (const label of ['1', '2', '3']) await source.query(aged.row(label, OLDER));
    expect([await aged.sweep(2), await aged.sweep(2)]).toEqual([2, 1]);
    expect(await labels(aged)).toEqual([]);
  });
});

it('ends a fan-out that is a second older than three days, and keeps a younger and an ended one', async () => {
  const DAYS = `now() - interval '3 days'`;
  const insert = `insert into fan_outs (site_id, occasion, kind, audience, created_at, due_at, ended_at, parameters)`;
  const row = (label: string, at: string, end = 'null') =>
    source.query(`${insert} values (uuidv7(), '${label}', 'post_published', 'site', ${at}, now(), ${end}, '{}')`);
  await row('older', `${DAYS} - interval '1 second'`);
  await row('younger', `${DAYS} + interval '1 second'`);
  await row('ended', `${DAYS} - interval '1 second'`, `now() - interval '1 day'`);
  const repository = new FanOutsRepository(source, new FanOutsQueue(new Sql(source)));
  const ended = [{ site_id: expect.any(String), occasion: 'older', recipients_count: 0 }];
  const { manager } = source;
  expect([await repository.endOld(manager, BATCH), await repository.endOld(manager, BATCH)]).toEqual([ended, []]);
  const stored = await source.query(`select occasion from fan_outs where ended_at > now() - interval '1 hour'`);
  expect([stored, await labels(fanOuts)]).toEqual([[{ occasion: 'older' }], ['ended', 'older', 'younger']]);
});

it.each([
  ['fan_out_created_at', fanOuts],
  ['reminder_age', reminders],
])('finds old rows by %s, without a sort', async (index, { table, row, sweep }) => {
  await source.query(
    row('ended', 'now()')
      .replace(/values \((.*)\)$/s, 'select $1 from generate_series(1, 10000)')
      .replaceAll(`'ended'`, 'uuidv7()'),
  );
  await source.query(`analyze ${table}`);
  const query = jest.spyOn(source, 'query');
  await sweep(BATCH);
  const [text = '', values] = query.mock.calls.at(-1) ?? [];
  query.mockRestore();
  const plan = JSON.stringify(await source.query(`explain ${text}`, values as unknown[]));
  expect(plan).toContain(`using ${index}`);
  expect(plan).not.toMatch(/Sort|Seq Scan/);
});

it('keeps a mail that waits, at any age', async () => {
  await source.query(mails.row('waiting', null));
  expect([await mails.sweep(BATCH), await labels(mails)]).toEqual([0, ['waiting']]);
});

it.each([
  ['a reminder', reminders],
  ['a fan-out', fanOuts],
])('removes %s that is too old to be delivered', async (_what, aged) => {
  await source.query(aged.row('waiting', null));
  expect([await aged.sweep(BATCH), await labels(aged)]).toEqual([1, []]);
});
