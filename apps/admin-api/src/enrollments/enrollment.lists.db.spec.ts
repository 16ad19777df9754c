import { randomUUID } from 'node:crypto';
import { rowsRead } from '@lyceum/testing';
import { Where, listStatement, searchable } from '@lyceum/rest';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { planOf } from '../../test/query-plan.js';
import { enrollment } from './enrollment.schema.js';
import { ENROLLMENT_CONDITIONS } from './enrollment.statements.js';

const ROWS = 5_000;
/** Rows that the statement of one page may read: it shows 20 and asks for one more. */
const MOST = 100;

const site = { site_id: randomUUID() };
/** Plans of most enrollments, and of five. */
const [many, few] = [randomUUID(), randomUUID()];
let database: OpenDatabase;

beforeAll(async () => {
  database = await openDatabase();
  await database.dataSource.query(
    `with course as (insert into courses (site_id, slug, name) values ($1, 'c', 'C') returning id),
       made as (
         insert into students (site_id, email, name)
         select $1, n || '@example.com', 'S' from generate_series(1, $2::int) n returning id)
     insert into enrollments (site_id, student_id, course_id, source) select $1, made.id, course.id, 'manual'
     from made, course`,
    [site.site_id, ROWS],
  );
  await database.dataSource.query(
    `with plan as (
       insert into course_plans (site_id, id, course_id, name, plan_type)
       select site_id, unnest($2::uuid[]), id, 'Plan', 'free' from courses where site_id = $1 returning id)
     insert into access_grants (site_id, enrollment_id, source, plan_id, starts_at)
     select $1, e.id, 'manual', plan.id, now()
     from (select id, row_number() over (order by id) as place from enrollments where site_id = $1) e
     join plan on place % 10 <> 0 and plan.id = $3 or place <= 5 and plan.id <> $3`,
    [site.site_id, [many, few], many],
  );
  await database.dataSource.query('analyze enrollments, access_grants, course_plans');
});
afterAll(() => database.close());

const base = { limit: 20, sort: '-created_at', include_total: false };

it.each([
  [{ state: ['active', 'expired', 'pending', 'revoked'] }],
  [{ state: ['expired', 'revoked'] }],
  [{ source: 'manual' }],
  [{ source: 'import' }],
  [{ plan_id: randomUUID() }],
  [{ plan_id: many }],
  [{ plan_id: few }],
  [{ has_begun: false }],
  [{ has_begun: true }],
  [{ external_id: 'seat-17' }],
  [{ metadata: { cohort: 'evening' } }],
  [{ 'expires_at[lte]': '2999-01-01T00:00:00Z' }],
  [{ 'completed_at[gte]': '2000-01-01T00:00:00Z' }],
])('reads no more enrollments than a page for %j', async (filters) => {
  const query = { ...base, ...filters };
  const where = searchable(new Where(site), { ...enrollment, conditions: ENROLLMENT_CONDITIONS }, query);
  const { text, values } = listStatement({ columns: 'id, created_at', table: 'enrollments', where }, query, undefined);
  const nodes = await planOf(database, (sql) => sql.query({ text, name: 'list' }, values));
  for (const node of nodes) expect([node['Node Type'], rowsRead(node) <= MOST]).toEqual([node['Node Type'], true]);
});
