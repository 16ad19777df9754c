import { planOf, rowsRead } from '@lyceum/testing';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { LIMITS } from '../src/connection/limits.js';
import { InboxRepository } from '../src/consumers/inbox.repository.js';
import { closeServices, messagingDatabase } from './service.js';

const ROWS = 20_000;
const HOUR_MS = 3_600_000;

let client: pg.Client;
let inbox: InboxRepository;
let sent: { readonly text: string; readonly values: unknown[] } | undefined;
beforeEach(async () => {
  client = new pg.Client(await messagingDatabase());
  await client.connect();
  const source = {
    query: async (text: string, values: unknown[]) => {
      sent = { text, values };
      return (await client.query<object>(text, values)).rows;
    },
  };
  inbox = new InboxRepository(source as DataSource);
});
afterEach(async () => {
  await client.end();
  await closeServices();
});

/** Adds rows of the last `hours`, in no order of time, as they lie after many sweeps. */
const fill = (rows: number, hours: number) =>
  client.query(
    `insert into inbox (consumer, event_id, applied_at)
     select 'courses', uuidv7(), now() - random() * $2 * interval '1 hour' from generate_series(1, $1)`,
    [rows, hours],
  );

const count = async (): Promise<number> =>
  (await client.query<{ n: number }>('select count(*)::int as n from inbox')).rows[0]?.n ?? -1;

test('deletes rows that are older than any event that can return, and keeps others', async () => {
  const add = (age: number) =>
    client.query(`insert into inbox (consumer, event_id, applied_at) values ('courses', uuidv7(), $1)`, [
      new Date(Date.now() - age),
    ]);
  await add(LIMITS.inboxMaxAge + HOUR_MS);
  await add(LIMITS.inboxMaxAge - HOUR_MS);
  expect(await inbox.sweep()).toBe(1);
  expect(await count()).toBe(1);
  // No event is in its stream for longer than 30 days.
  expect(LIMITS.inboxMaxAge).toBe(31 * 24 * HOUR_MS);
});

test('reads the rows that it deletes, also where they lie among others', async () => {
  await fill(ROWS, 31 * 24);
  await client.query(
    `update inbox set applied_at = now() - interval '40 days' where ctid in (select ctid from inbox order by random() limit 50)`,
  );
  await client.query('vacuum (analyze) inbox');
  expect(await inbox.sweep()).toBe(50);
  await fill(50, 1);
  const nodes = await planOf(async (text, values) => (await client.query<object>(text, values)).rows, sent!);
  const read = nodes.filter((node) => node['Relation Name'] === 'inbox').map(rowsRead);
  expect(Math.max(...read)).toBeLessThan(100);
});
