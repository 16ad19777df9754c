import { randomUUID } from 'node:crypto';
import { rowsRead } from '@lyceum/testing';
import { ORDER_ITEM_TYPES } from '@lyceum/contracts';
import { Where, listStatement, searchable } from '@lyceum/rest';
import { PENDING_COUPON, PENDING_OF_COUPON } from '#src/pending-orders/pending-coupon.js';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { planOf } from '../../test/query-plan.js';
import { ORDER_CONDITIONS } from './order.repository.js';
import { order } from './order.schema.js';

const ROWS = 10_000;
/** One of so many orders is of each rare type. */
const RARE = 50;
/** Rows that the statement of one page may read: it shows 20 and asks for one more. */
const MOST = 100;

const site = { site_id: randomUUID() };
let database: OpenDatabase;

beforeAll(async () => {
  database = await openDatabase();
  await database.dataSource.query(
    `with student as (insert into students (site_id, email, name) values ($1, 'a@example.com', 'A') returning id)
     insert into orders (site_id, number, state, student_id, currency, subtotal_minor, discount_minor, tax_minor,
       total_minor, source, coupon_code, item_types, created_at)
     select $1, 'n-' || n, 'pending', student.id, 'TWD', 0, 0, 0, 0, 'checkout', 'c-' || n % 5000,
       case when n % $3::int = 0 then $4::text[] else array['course_plan'] end, now() - make_interval(secs => n)
     from student, generate_series(1, $2::int) n`,
    [site.site_id, ROWS, RARE, ORDER_ITEM_TYPES.filter((type) => type !== 'course_plan')],
  );
  await database.dataSource.query('analyze orders');
});
afterAll(() => database.close());

const list = (item_type: string) => {
  const query = { limit: 20, sort: '-created_at', include_total: false, item_type };
  const where = searchable(new Where(site), { ...order, conditions: ORDER_CONDITIONS }, query);
  return listStatement({ columns: 'id, item_types', table: 'orders', where }, query, undefined);
};

it.each(ORDER_ITEM_TYPES)('reads no more orders than a page for the type %s', async (type) => {
  const { text, values } = list(type);
  const found = await database.dataSource.query<{ item_types: string[] }[]>(text, [...values]);
  expect(found).toHaveLength(21);
  expect(found.every(({ item_types }) => item_types.includes(type))).toBe(true);
  const nodes = await planOf(database, (sql) => sql.query({ text, name: 'list' }, values));
  for (const node of nodes) expect([node['Node Type'], rowsRead(node) <= MOST]).toEqual([node['Node Type'], true]);
});

it('writes the type into the text of the statement, which a plan for all values needs', () => {
  expect(list('ticket').text).toContain(`item_types @> '{ticket}'`);
  expect(list('ticket').values).toEqual([site.site_id]);
  expect(() => list("'}")).toThrow('no condition');
});

it.each([
  ['C-7', true],
  ['C-5000', false],
])('reads no more orders than those with the coupon %s to find a pending one (%p)', async (code, ordered) => {
  const [coupon] = await database.dataSource.query<{ id: string }[]>(
    `insert into coupons (site_id, name, code, discount, duration, applies_to, state)
     values ($1, 'A', $2, '{"kind": "percentage", "percent": 10}', 'once', '{}', 'active') returning id`,
    [site.site_id, code],
  );
  const values = [site.site_id, coupon?.id];
  for (const text of [`select ${PENDING_COUPON} as exist`, PENDING_OF_COUPON]) {
    expect(await database.dataSource.query(text, values)).toMatchObject([{ exist: ordered }]);
    const nodes = await planOf(database, (sql) => sql.query({ text, name: 'coupon' }, values));
    for (const node of nodes) expect([node['Node Type'], rowsRead(node) <= 2]).toEqual([node['Node Type'], true]);
  }
});
