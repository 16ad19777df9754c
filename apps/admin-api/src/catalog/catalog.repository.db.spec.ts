import { randomUUID } from 'node:crypto';
import { rowsRead } from '@lyceum/testing';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { planOf } from '../../test/query-plan.js';
import { CatalogRepository } from './catalog.repository.js';

const [here, there] = [{ site_id: randomUUID() }, { site_id: randomUUID() }];
const ROWS = `select case when n % 2 = 0 then $1::uuid else $2::uuid end as site_id, 'item-' || n as slug, md5(n::text) as name
  from generate_series(1, 10000) n`;
let database: OpenDatabase;

beforeAll(async () => {
  database = await openDatabase();
  const fill = (columns: string, values: string): Promise<unknown> =>
    database.dataSource.query(`insert into ${columns} select site_id, slug, name, ${values} from (${ROWS}) made`, [
      here.site_id,
      there.site_id,
    ]);
  await fill('courses (site_id, slug, name, state)', `'published'`);
  await fill(
    'digital_products (site_id, slug, name, state, price_amount_minor, price_currency)',
    `'published', 1, 'TWD'`,
  );
  await fill(
    'events (site_id, slug, name, state, hosting_type, starts_at, ends_at, timezone)',
    `'published', 'zoom', '2999-01-01', '2999-01-02', 'UTC'`,
  );
  await fill('membership_plans (site_id, slug, name, state, plan_type)', `'active', 'lifetime'`);
  await database.dataSource.query(`
    insert into course_plans (site_id, course_id, name, plan_type, price_amount_minor, price_currency)
      select site_id, id, 'A', 'one_time_purchase', 1, 'TWD' from courses;
    insert into event_tickets (site_id, event_id, name, price_amount_minor, price_currency, position)
      select site_id, id, 'A', 1, 'TWD', 1 from events;
    insert into membership_plan_prices (site_id, plan_id, price_amount_minor, price_currency, position)
      select site_id, id, 1, 'TWD', 1 from membership_plans;
  `);
  // Merges the pending entries of the text indexes, which the planner would count, and notes how many rows there are.
  await database.dataSource.query('vacuum analyze');
});
afterAll(() => database.close());

const query = { q: undefined, type: undefined, limit: 20 };

describe('a page of the catalog', () => {
  it.each([
    ['the first', undefined],
    ['one in the middle', ['7', randomUUID()] as const],
  ])('reads from the index of each table no more rows than the page shows: %s', async (_what, after) => {
    const nodes = await planOf(database, (sql) => new CatalogRepository(sql).list(here, query, after));
    const tables = nodes.filter((node) => node['Relation Name'] !== undefined);
    expect(new Set(tables.map((node) => node['Relation Name']))).toEqual(
      new Set([
        'courses',
        'course_plans',
        'digital_products',
        'events',
        'event_tickets',
        'membership_plans',
        'membership_plan_prices',
      ]),
    );
    for (const node of tables) {
      expect(node['Node Type']).toMatch(/^Index/);
      expect(rowsRead(node)).toBeLessThanOrEqual(21);
    }
  });

  it('finds words by the index of each table and reads only matching rows', async () => {
    const [course] = await database.dataSource.query<{ name: string; slug: string }[]>(
      'select name, slug from courses where site_id = $1 and slug = $2',
      [here.site_id, 'item-2000'],
    );
    const q = `${course?.name.slice(8, 13)} m-2000`;
    const nodes = await planOf(database, (sql) => new CatalogRepository(sql).list(here, { ...query, q }, undefined));
    const indexes = nodes.map((node) => node['Index Name']).filter((name) => name?.endsWith('_by_words'));
    expect(new Set(indexes)).toEqual(
      new Set(['courses_by_words', 'digital_products_by_words', 'events_by_words', 'membership_plans_by_words']),
    );
    for (const node of nodes.filter((one) => one['Relation Name'] !== undefined))
      expect(rowsRead(node)).toBeLessThan(10);
  });

  it('returns only rows of the site for every type', async () => {
    const catalog = new CatalogRepository(database.sql);
    const mine = await catalog.list(here, { ...query, limit: 100 }, undefined);
    const theirs = await catalog.list(there, { ...query, limit: 100 }, undefined);
    expect([mine.length, theirs.length]).toEqual([101, 101]);
    expect(mine.map(({ slug }) => slug).filter((slug) => theirs.some((one) => one.slug === slug))).toEqual([]);
  });
});
