import { randomUUID } from 'node:crypto';
import { rowsRead } from '@lyceum/testing';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { planOf } from '../../test/query-plan.js';
import { LISTED_EVENTS, PAST_EVENTS } from './event.listing.js';

const site_id = randomUUID();
let database: OpenDatabase;

beforeAll(async () => {
  database = await openDatabase();
  const add = (state: string, count: number, start: string): Promise<unknown> =>
    database.dataSource.query(
      `insert into events (site_id, slug, name, state, hosting_type, starts_at, ends_at, timezone)
       select $1, $2 || '-' || n, 'Event', $2, 'zoom', at, at + interval '1 hour', 'UTC'
       from generate_series(1, $3::int) n cross join lateral (select now() ${start} * n as at) start`,
      [site_id, state, count],
    );
  await add('ended', 1_500, `- interval '1 day'`);
  await add('published', 5, `+ interval '1 day'`);
  await database.dataSource.query('vacuum analyze events');
});
afterAll(() => database.close());

it.each([
  ['upcoming', LISTED_EVENTS, 'starts_at, id', 5],
  ['past', PAST_EVENTS, 'starts_at desc, id desc', 21],
] as const)('reads a page of the %s events of a site with many past ones', async (_when, condition, order, count) => {
  const statement = {
    name: undefined,
    text: `select id from events where site_id = $1 and ${condition} order by ${order} limit 21`,
  };
  expect(await database.sql.query(statement, [site_id])).toHaveLength(count);
  const nodes = await planOf(database, (sql) => sql.query(statement, [site_id]));
  expect(Math.max(...nodes.map(rowsRead))).toBeLessThanOrEqual(30);
});
