import { randomUUID } from 'node:crypto';
import { MigratedDatabase } from '@lyceum/testing';
import { AnalyticsHours1764000258000 } from '#src/migrations/1764000258000-analytics-hours.js';
import { AnalyticsBlocks1764000274000 } from '#src/migrations/1764000274000-analytics-blocks.js';
import { SCHOOL_MIGRATIONS } from './open-database.js';

const SITE = randomUUID();
const COURSE = randomUUID();
let database: MigratedDatabase;
beforeAll(async () => {
  database = await MigratedDatabase.open('school', SCHOOL_MIGRATIONS);
});
afterAll(() => database?.close());

it('sums the quarters of an hour, and the hours of a block, from before', async () => {
  await database.history.before(AnalyticsHours1764000258000);
  await database.query(
    `insert into analytics_sales (site_id, quarter, currency, orders_count, gross_minor, discount_minor, tax_minor,
       refunds_count, refunded_minor)
     values ($1, '2026-01-01T10:00:00Z', 'TWD', 1, 9007199254740991, 0, 0, 0, 0),
       ($1, '2026-01-01T10:45:00Z', 'TWD', 2, 5, 0, 0, 0, 0), ($1, '2026-01-01T10:45:00Z', 'USD', 4, 7, 0, 0, 0, 0),
       ($1, '2026-01-01T11:00:00Z', 'TWD', 8, 9, 0, 0, 0, 0)`,
    [SITE],
  );
  await database.query(
    `insert into analytics_enrollments (site_id, course_id, quarter, enrolled_count, started_count, completed_count)
     values ($1, null, '2026-01-01T10:00:00Z', 1, 0, 0), ($1, $2, '2026-01-01T10:00:00Z', 1, 0, 0),
       ($1, null, '2026-01-01T10:30:00Z', 2, 0, 0), ($1, $2, '2026-01-01T10:30:00Z', 2, 0, 0)`,
    [SITE, COURSE],
  );
  await database.history.up(AnalyticsHours1764000258000);
  const sales = `select extract(hour from hour at time zone 'UTC')::int as hour, currency, orders_count::int as orders,
    gross_minor::text as gross from analytics_sales_hours order by 1, 2`;
  expect(await database.query(sales)).toEqual([
    { hour: 10, currency: 'TWD', orders: 3, gross: '9007199254740991' },
    { hour: 10, currency: 'USD', orders: 4, gross: '7' },
    { hour: 11, currency: 'TWD', orders: 8, gross: '9' },
  ]);
  const enrolled = `select course_id, enrolled_count::int as enrolled from analytics_enrollments_hours order by course_id`;
  expect(await database.query(enrolled)).toEqual([
    { course_id: COURSE, enrolled: 3 },
    { course_id: null, enrolled: 3 },
  ]);
  await database.history.up(AnalyticsBlocks1764000274000);
  const blocks = sales.replaceAll('hour from hour', 'hour from block').replace('_hours', '_blocks');
  expect(await database.query(blocks)).toEqual([
    { hour: 8, currency: 'TWD', orders: 11, gross: '9007199254740991' },
    { hour: 8, currency: 'USD', orders: 4, gross: '7' },
  ]);
  expect(await database.query(enrolled.replace('_hours', '_blocks'))).toEqual([
    { course_id: COURSE, enrolled: 3 },
    { course_id: null, enrolled: 3 },
  ]);
  await database.history.down(AnalyticsBlocks1764000274000);
  await database.history.down(AnalyticsHours1764000258000);
});
