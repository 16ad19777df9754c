import { Sql } from '@lyceum/platform';
import { planOf, rowsRead, statementOf, testDatabase } from '@lyceum/testing';
import type { TestDatabase } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import { MailsQueue } from '#src/mails/mails.queue.js';
import { RemindersQueue } from '#src/reminders/reminders.queue.js';

const SITE = '0199f6a0-0000-7000-8000-00000000000a';
const MEMBER = '0199f6a0-0000-7000-8000-00000000000b';

let database: TestDatabase;
let source: DataSource;
let sql: Sql;

beforeAll(async () => {
  database = await testDatabase('learner');
  source = await new DataSource({ type: 'postgres', url: database.url, poolSize: 1 }).initialize();
  sql = new Sql(source);
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

/** The most rows that a part of a claim reads. The claim is rolled back. */
async function readBy(ask: (listening: Sql) => Promise<unknown>, table: string): Promise<number> {
  await source.query(`analyze ${table}`);
  const claim = await statementOf<Sql>(ask);
  await source.query('begin');
  const nodes = await planOf((text, values) => source.query(text, values), claim);
  await source.query('rollback');
  return Math.max(...nodes.map(rowsRead));
}

it('claims the reminders of canceled appointments, and reads few rows of many', async () => {
  await source.query(
    `insert into reminders (subject_id, minutes_before, site_id, kind, version, starts_at, due_at, title)
     select uuidv7(), 60, $1, 'event_starting', 1, now() + interval '1 hour', now() - interval '1 minute', null
     from generate_series(1, 10000)`,
    [SITE],
  );
  expect(await readBy((listening) => new RemindersQueue(listening).claim(), 'reminders')).toBeLessThanOrEqual(10);
  const claimed = await new RemindersQueue(sql).claim();
  expect(claimed.map(({ title }) => title)).toEqual([null, null, null, null, null]);
});

it('does not read the mails that wait for a failed one', async () => {
  await source.query(
    `insert into outbound_mails (site_id, person_id, occasion, topic, created_at, due_at, kind, parameters)
     select $1, $2, 'reply ' || n, 'comment_reply', now() + make_interval(secs => n / 1000.0), now(), 'comment_replied', '{}'
     from generate_series(1, 1001) n`,
    [SITE, MEMBER],
  );
  const queue = new MailsQueue(sql);
  const [head, ...others] = await queue.claim();
  if (head === undefined) throw new Error('No mail is due');
  expect(others).toEqual([]);
  expect(await queue.fail(head, 'The server refuses the mail for now')).toBe(false);
  expect(await readBy((listening) => new MailsQueue(listening).claim(), 'outbound_mails')).toBeLessThanOrEqual(10);
  const waits = await source.query<object[]>('select due_at from outbound_mails group by due_at');
  expect(waits).toHaveLength(1);
});
