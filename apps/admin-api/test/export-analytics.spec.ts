import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { RollupRepository } from '#src/analytics/rollup.repository.js';
import { TABLES } from '#src/analytics/tables.policy.js';
import type { TableName } from '#src/analytics/tables.policy.js';
import { AnalyticsRows } from './analytics-rows.js';
import { later } from './analytics-steps.js';
import { TestExports, pathOf } from './test-exports.js';
import type { Json } from './test-exports.js';

const NAMES = Object.keys(TABLES) as TableName[];
const RANGE = { from: '2025-11-01', to: '2025-12-31', granularity: 'month', timezone: 'Asia/Taipei' };
/** The filters of an export whose range is `RANGE`. Cohorts have months. */
const filtersOf = (name: TableName, { granularity, ...range } = RANGE) =>
  name === 'cohorts' ? range : { ...range, granularity };
const collectionOf = (name: TableName): string => `analytics_${name}`;
const NOVEMBER = new Date('2025-11-05T10:00:00Z');
const DECEMBER = later(NOVEMBER, 30);

let exports: TestExports;
let token: string;
beforeAll(async () => {
  exports = await TestExports.open();
  token = await exports.api.token('analytics:read students:read');
  const rows = await AnalyticsRows.open(exports.database, exports.api.sites[0].site_id);
  await rows.order(NOVEMBER, 'TWD', 1_000);
  await rows.order(NOVEMBER, 'USD', 70);
  await rows.refund(0, 0.5, DECEMBER);
  await rows.enroll(0, NOVEMBER);
  await rows.enroll(1, NOVEMBER);
  await rows.complete(0, DECEMBER);
  await rows.plan('month', 1, 300, 'TWD');
  await rows.plan('month', 1, 7, 'USD');
  for (const plan of [0, 1]) await rows.subscribe(plan, NOVEMBER, null, later(NOVEMBER, 90));
  await rows.end(1, DECEMBER);
  await rows.event(NOVEMBER, 'ended');
  await rows.register(0, 'checked_in');
  const rollups = exports.get(RollupRepository);
  while ((await rollups.fold(1_000)) !== 0);
});
afterAll(() => exports.close());

const request = (body: object, as = token) => exports.api.send('POST', '/api/v1/exports', { token: as, body });
const linesOf = (text: string): string[] => text.trimEnd().split('\r\n');
const objectsOf = (text: string): Json[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Json);

it.each([
  [
    'revenue',
    [
      '2025-11-01,2025-11-30,TWD,1,1000,0,0,0,0,1000',
      '2025-11-01,2025-11-30,USD,1,70,0,0,0,0,70',
      // A number is no formula.
      '2025-12-01,2025-12-31,TWD,0,0,0,0,1,500,-500',
      '2025-12-01,2025-12-31,USD,0,0,0,0,0,0,0',
    ],
  ],
  ['funnel', ['2025-11-01,2025-11-30,2,1,1,0.5,0.5', '2025-12-01,2025-12-31,0,0,0,,']],
  [
    'memberships',
    [
      '2025-11-01,2025-11-30,TWD,0,1,0,1,,300',
      '2025-11-01,2025-11-30,USD,0,1,0,1,,7',
      '2025-12-01,2025-12-31,TWD,1,0,0,1,0,300',
      '2025-12-01,2025-12-31,USD,1,0,1,0,1,0',
    ],
  ],
  ['cohorts', ['2025-11,2025-11,2,2', '2025-11,2025-12,2,1', '2025-12,2025-12,0,0']],
  ['attendance', ['2025-11-01,2025-11-30,1,1,1,0,0,0,1', '2025-12-01,2025-12-31,0,0,0,0,0,0,']],
] as const)('writes the rows of %s as CSV and JSON Lines', async (name, expected) => {
  const body = { collection: collectionOf(name), filters: filtersOf(name) };
  const [head, ...lines] = linesOf(await exports.exported({ ...body, format: 'csv' }));
  expect([head, lines]).toEqual([TABLES[name].join(','), expected]);
  const objects = objectsOf(await exports.exported({ ...body, format: 'jsonl' }));
  // Null is empty in a joined list, too.
  expect(objects.map((row) => Object.values(row as Record<string, string | number | null>).join())).toEqual(expected);
});

describe('the rows of a file', () => {
  const reportOf = async (name: string) => {
    const query = new URLSearchParams(RANGE).toString();
    return (await exports.api.send<Json>('GET', `/api/v1/analytics/${name}?${query}`, { token })).body;
  };
  const rowsOf = async (name: TableName): Promise<Json[]> => {
    const body = { collection: collectionOf(name), format: 'jsonl', filters: filtersOf(name) };
    return objectsOf(await exports.exported(body));
  };
  type Periods = readonly (Json & { readonly sales: readonly Json[]; readonly memberships: Json })[];

  it.each(['funnel', 'attendance'] as const)('equals the report %s of the API', async (name) => {
    const periods = (await reportOf(name))['periods'] as Periods;
    expect(await rowsOf(name)).toEqual(periods.map(({ from, to, ...rest }) => ({ from, to, ...(rest[name] as Json) })));
  });

  it('equals the report revenue of the API where it has a currency', async () => {
    const periods = (await reportOf('revenue'))['periods'] as Periods;
    const shown = periods.flatMap(({ from, to, sales }) => sales.map((one) => ({ from, to, ...one })));
    expect(shown).toHaveLength(3);
    expect(await rowsOf('revenue')).toEqual(expect.arrayContaining(shown));
  });

  it('adds up to the report memberships of the API', async () => {
    const report = await reportOf('memberships');
    const rows = await rowsOf('memberships');
    for (const { from, memberships } of report['periods'] as Periods) {
      const own = rows.filter((row) => row['from'] === from);
      for (const count of ['active_at_start_count', 'started_count', 'ended_count', 'active_count']) {
        expect([count, own.reduce((sum, row) => sum + Number(row[count]), 0)]).toEqual([count, memberships[count]]);
      }
      const mrr = own.filter((row) => row['active_count'] !== 0);
      expect(mrr.map(({ currency, mrr_minor }) => ({ amount_minor: mrr_minor, currency }))).toEqual(memberships['mrr']);
    }
    const cohorts = report['cohorts'] as { month: string; active_counts: number[] }[];
    const counts = (await rowsOf('cohorts')).map(({ active_count }) => active_count);
    expect(counts).toEqual(cohorts.flatMap(({ active_counts }) => active_counts));
  });
});

it('keeps the range that the request means', async () => {
  const { body } = await request({ collection: 'analytics_revenue', format: 'csv', filters: { to: '2026-01-31' } });
  expect(body['filters']).toMatchObject({ from: '2026-01-02', to: '2026-01-31', granularity: 'day', timezone: 'UTC' });
  const { body: cohorts } = await request({ collection: 'analytics_cohorts', format: 'csv' });
  expect(cohorts['filters']).toMatchObject({ from: expect.any(String), granularity: null });
});

it('takes one connection to the database', async () => {
  const others = Array.from({ length: exports.api.config.DATABASE_POOL_SIZE - 1 }, () =>
    exports.get(DataSource).createQueryRunner(),
  );
  await Promise.all(others.map((runner) => runner.connect()));
  try {
    expect((await request({ collection: 'analytics_cohorts', format: 'csv' })).status).toBe(201);
  } finally {
    await Promise.all(others.map((runner) => runner.release()));
  }
});

it('takes 366 days', async () => {
  const filters = { from: '2024-01-01', to: '2024-12-31', timezone: 'UTC' };
  const text = await exports.exported({ collection: 'analytics_funnel', format: 'csv', filters });
  expect(linesOf(text)).toHaveLength(367);
});

it.each([
  ['revenue', { from: '2024-01-01', to: '2025-01-01' }, 'to', 'too_large'],
  ['revenue', { from: '2025-01-02', to: '2025-01-01' }, 'to', 'too_small'],
  ['revenue', { from: '1999-12-31', to: '2000-01-01' }, 'from', 'invalid_value'],
  ['revenue', { timezone: 'Asia/Nowhere' }, 'timezone', 'invalid_value'],
  ['revenue', { granularity: 'hour' }, 'granularity', 'invalid_value'],
  ['revenue', { course_id: '019ab3c0-0000-7000-8000-000000000000' }, 'course_id', 'invalid_value'],
  ['cohorts', { granularity: 'month' }, 'granularity', 'invalid_value'],
  ['attendance', { created_at: { gte: '2026-01-01T00:00:00Z' } }, 'created_at', 'invalid_value'],
] as const)('refuses an export of %s with %j', async (name, filters, filter, code) => {
  const { status, body } = await request({ collection: collectionOf(name), format: 'csv', filters });
  expect([status, body['errors']]).toEqual([422, [expect.objectContaining({ pointer: `/filters/${filter}`, code })]]);
});

it('refuses a range in an export of rows', async () => {
  const { status, body } = await request({ collection: 'students', format: 'csv', filters: { from: '2025-11-01' } });
  expect([status, body['errors']]).toMatchObject([422, [{ pointer: '/filters/from' }]]);
});

it.each(NAMES)('needs the scope of analytics for %s, also to be seen, and a role beyond teaching', async (name) => {
  const body = { collection: collectionOf(name), format: 'csv', filters: filtersOf(name) };
  const { body: one } = await request(body);
  const without = await exports.api.token('students:read orders:read');
  const refused = await request(body, without);
  expect([refused.status, refused.headers['www-authenticate']]).toEqual([
    403,
    expect.stringContaining('scope="analytics:read"'),
  ]);
  expect((await exports.api.send('GET', pathOf(one), { token: without })).status).toBe(404);
  expect((await exports.api.send('GET', pathOf(one), { token })).status).toBe(200);
  await exports.giveRoles(['lecturer']);
  await exports.database.query(`update exports set created_at = created_at - interval '1 hour' where id = $1`, [
    one['id'],
  ]);
  await exports.work();
  expect(await exports.read(one)).toMatchObject({ state: 'failed', error: 'forbidden', rows_count: 0 });
  await exports.giveRoles(['owner']);
});

it('finds a definition of each column in the documentation', () => {
  const text = readFileSync(join(__dirname, '../../../docs/operate/exports.md'), 'utf8');
  const sections = text.split(/^### /m).slice(1);
  const documented = sections.map((section) => [
    /^`(\w+)`/.exec(section)?.[1],
    [...section.matchAll(/^\| `(\w+)` +\| [A-Z][^|]+\. *\|$/gm)].map(([, column]) => column),
  ]);
  expect(documented).toEqual(NAMES.map((name) => [collectionOf(name), TABLES[name]]));
});
