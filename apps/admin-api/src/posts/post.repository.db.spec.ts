import { Where, listStatement } from '@lyceum/rest';
import { rowsRead } from '@lyceum/testing';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { planOf } from '../../test/query-plan.js';
import { PostRepository } from './post.repository.js';

const POSTS = 5_000;
let database: OpenDatabase;

beforeAll(async () => {
  database = await openDatabase();
  // Rows of 500 sites, one hour apart, and as many that are published already.
  await database.dataSource.query(
    `insert into posts (site_id, slug, title, state, published_at)
     select lpad((n % 500)::text, 32, '0')::uuid, state || n, 'T', state, now() + n * interval '1 hour'
     from generate_series(1, $1::int) n, unnest(array['scheduled', 'published']) state`,
    [POSTS],
  );
  await database.dataSource.query('vacuum analyze posts');
});
afterAll(() => database.close());

it('finds the scheduled posts of all sites that are due by their index, the earliest first', async () => {
  const inThreeHours = new Date(Date.now() + 3.5 * 3_600_000);
  const due = await new PostRepository(database.sql).due(inThreeHours, 100);
  expect(due.map(({ site_id }) => Number(site_id.slice(-3)))).toEqual([1, 2, 3]);
  expect(await new PostRepository(database.sql).due(inThreeHours, 2)).toEqual(due.slice(0, 2));
  const plan = await planOf(database, (sql) => new PostRepository(sql).due(inThreeHours, 100));
  expect(plan.map((node) => node['Index Name'])).toContain('posts_due');
  expect(Math.max(...plan.map(rowsRead))).toBe(3);
});

it('reads a page of the published posts of a site by their date, with an index', async () => {
  const where = new Where({ site_id: '1'.padStart(32, '0') }).also(`state = 'published'`);
  const query = { limit: 2, sort: '-published_at', include_total: false };
  const { text, values } = listStatement({ columns: 'id, published_at', table: 'posts', where }, query, undefined);
  const plan = await planOf(database, (sql) => sql.query({ text, name: 'list' }, values));
  expect(plan.map((node) => node['Index Name'])).toContain('posts_published');
  expect(Math.max(...plan.map(rowsRead))).toBe(3);
});
