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
