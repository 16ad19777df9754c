import { randomUUID } from 'node:crypto';
import { rowsRead } from '@lyceum/testing';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { planOf } from '../../test/query-plan.js';
import { DigitalProductGrantRepository } from './digital-product-grant.repository.js';

const GRANTS = 5_000;
const site_id = randomUUID();
let database: OpenDatabase;
let product: string;

beforeAll(async () => {
  database = await openDatabase();
  const [made] = await database.dataSource.query<{ id: string }[]>(
    `insert into digital_products (site_id, slug, name, price_amount_minor, price_currency)
     values ($1, 'p', 'P', 1, 'TWD') returning id`,
    [site_id],
  );
  product = made?.id ?? '';
  await database.dataSource.query(
    `with s as (
       insert into students (site_id, email, name) select $1, n || '@example.com', 'S' from generate_series(1, $3) n returning id
     )
     insert into digital_product_grants (site_id, digital_product_id, student_id, source, granted_at, expires_at, created_at)
     select $1, $2, id, 'manual', now(), now() + row_number() over () * interval '1 hour',
       now() - row_number() over () * interval '1 second' from s`,
    [site_id, product, GRANTS],
  );
  await database.dataSource.query('vacuum analyze digital_product_grants');
});
afterAll(() => database.close());

it('finds the grants that are due by their index', async () => {
  const inThreeHours = new Date(Date.now() + 3.5 * 3_600_000);
  const due = new DigitalProductGrantRepository(database.sql).due(inThreeHours, 100);
  expect(await due).toHaveLength(3);
  const plan = await planOf(database, (sql) => new DigitalProductGrantRepository(sql).due(inThreeHours, 100));
  expect(Math.max(...plan.map(rowsRead))).toBe(3);
});

it('leaves a grant that another replica has locked, and one that is not due', async () => {
  const grants = new DigitalProductGrantRepository(database.sql);
  const inThreeHours = new Date(Date.now() + 3.5 * 3_600_000);
  const [first] = await grants.due(inThreeHours, 1);
  if (first === undefined) throw new Error('No grant is due');
  const { dataSource } = database;
  await dataSource.transaction(async (tx) => {
    expect(await grants.lockDue(tx, first, new Date())).toBe(false);
    expect(await grants.lockDue(tx, first, inThreeHours)).toBe(true);
    expect(await dataSource.transaction((other) => grants.lockDue(other, first, inThreeHours))).toBe(false);
  });
});

it.each([
  ['created_at desc, id desc', 'digital_product_grants_created'],
  ['updated_at desc, id desc', 'digital_product_grants_updated'],
])('reads a page by %s from the index of the product', async (order, index) => {
  const text = `select * from digital_product_grants where site_id = $1 and digital_product_id = $2
    order by ${order} limit 21`;
  const plan = await planOf(database, (sql) => sql.query({ name: undefined, text }, [site_id, product]));
  expect(plan.map((node) => node['Index Name'])).toContain(index);
  expect(Math.max(...plan.map(rowsRead))).toBeLessThanOrEqual(21);
});

it('refuses a second active grant of a student, and a second source of an order', async () => {
  const [known] = await database.dataSource.query<{ id: string; student_id: string }[]>(
    'select id, student_id from digital_product_grants where site_id = $1 limit 1',
    [site_id],
  );
  const grant = `insert into digital_product_grants (site_id, digital_product_id, student_id, source, granted_at, state)
    values ($1, $2, $3, 'manual', now(), $4)`;
  const values = [site_id, product, known?.student_id];
  await expect(database.dataSource.query(grant, [...values, 'active'])).rejects.toThrow('digital_product_grants_live');
  await database.dataSource.query(grant, [...values, 'revoked']);
  const source = `insert into digital_product_grant_sources (site_id, grant_id, digital_product_id, order_id)
    values ($1, $2, $3, $4)`;
  const sale = [site_id, known?.id, product, randomUUID()];
  await database.dataSource.query(source, sale);
  await expect(database.dataSource.query(source, sale)).rejects.toThrow('digital_product_grant_sources_order');
});
