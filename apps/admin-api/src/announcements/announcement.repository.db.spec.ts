import { rowsRead } from '@lyceum/testing';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { planOf } from '../../test/query-plan.js';
import { AnnouncementRepository } from './announcement.repository.js';

const ANNOUNCEMENTS = 5_000;
let database: OpenDatabase;

beforeAll(async () => {
  database = await openDatabase();
  // Rows of 500 sites, one hour apart, and as many drafts.
  await database.dataSource.query(
    `insert into announcements (site_id, title, state, sends_at)
     select lpad((n % 500)::text, 32, '0')::uuid, 'T', state, now() + n * interval '1 hour'
     from generate_series(1, $1::int) n, unnest(array['scheduled', 'draft']) state`,
    [ANNOUNCEMENTS],
  );
  await database.dataSource.query('vacuum analyze announcements');
});
afterAll(() => database.close());

it('finds the scheduled announcements of all sites that are due by their index, the earliest first', async () => {
  const inThreeHours = new Date(Date.now() + 3.5 * 3_600_000);
  const due = await new AnnouncementRepository(database.sql).due(inThreeHours, 100);
  expect(due.map(({ site_id }) => Number(site_id.slice(-3)))).toEqual([1, 2, 3]);
  expect(await new AnnouncementRepository(database.sql).due(inThreeHours, 2)).toEqual(due.slice(0, 2));
  const plan = await planOf(database, (sql) => new AnnouncementRepository(sql).due(inThreeHours, 100));
  expect(plan.map((node) => node['Index Name'])).toContain('announcements_due');
  expect(Math.max(...plan.map(rowsRead))).toBe(3);
});
