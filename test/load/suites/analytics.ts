import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Stack, WORKSPACE } from '@lyceum/local';
import { benchSite } from '../bench-stack.ts';
import { onDatabase } from '../data/database.ts';
import { copyYear } from '../data/rollups.ts';
import { fillSales } from '../data/sales.ts';
import type { Suite } from '../suite.ts';
import { operatorOf, type Send } from './operator.ts';

const REPORTS = ['overview', 'revenue', 'funnel', 'memberships', 'attendance'] as const;
const ZONE = 'Asia/Taipei';
/**
 * Days in Asia/Taipei begin with a block of the rollups, those in America/New_York with an hour inside of one. Days in
 * Asia/Kolkata begin inside of an hour, and need twice the rows (ADR 124).
 */
const OTHER_ZONES = [
  ['America/New_York', 50],
  ['Asia/Kolkata', 100],
] as const;
/** Reads of each report. All of them stay below the quota of a person. */
const READS = 30;
const WARM_UP = 5;
const GOAL_MS = 50;
const COMPARED = '&compare=previous_period';
const DAY_MS = 86_400_000;

interface Totals {
  readonly totals: { readonly sales: readonly { readonly orders_count: number }[] };
}

interface Overview extends Totals {
  readonly previous: Totals;
}

/** Reports of a year by day, of a site with many orders, by their median time. */
export const analytics: Suite = async ({ stack, arguments: { rows }, step, hold }) => {
  const { site_id } = benchSite(stack);
  await step(`insert ${rows} orders of a year`, () =>
    onDatabase(stack.databaseUrl('school'), (client) => fillSales(client, site_id, rows)),
  );
  hold({ 'orders of one year': rows });
  await step('count them', () => rebuild(stack));
  // After the rebuild, which deletes sums without rows.
  await step('copy their figures to the year before', () =>
    onDatabase(stack.databaseUrl('school'), (client) => copyYear(client, site_id)),
  );
  const send = await operatorOf(stack, 'analytics:read');
  const day = (ago: number): string => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
  const query = `from=${day(365)}&to=${day(0)}&granularity=day`;
  const read = (report: string, zone: string, more = ''): Promise<number> =>
    median(send, `/analytics/${report}?${query}&timezone=${zone}${more}`);
  await requireAll(send, `from=${day(364)}&to=${day(-1)}&granularity=month${COMPARED}`, rows);
  const medians = await step('read the reports', async () => {
    const measured = [];
    for (const report of REPORTS)
      measured.push([`${report} of a year by day`, GOAL_MS, await read(report, ZONE)] as const);
    for (const [zone, goal] of OTHER_ZONES)
      measured.push([`overview in ${zone} of a year by day`, goal, await read('overview', zone)] as const);
    for (const report of REPORTS)
      measured.push([
        `${report} of a year by day, compared with the year before`,
        GOAL_MS,
        await read(report, ZONE, COMPARED),
      ] as const);
    return measured;
  });
  const count = rows.toLocaleString('en');
  return medians.map(([report, goal, value]) => ({
    suite: 'analytics',
    title: `p50 of the report ${report}, ${count} orders`,
    unit: 'ms',
    goal,
    measure: () => Promise.resolve(value),
  }));
};

async function rebuild(stack: Stack): Promise<void> {
  const env = { ...process.env, ...stack.environment('admin-api') };
  const main = join(WORKSPACE, 'apps/admin-api/dist/main.js');
  await promisify(execFile)(process.execPath, [main, 'rebuild-analytics'], { env });
}

/** The first orders of a year may be a day before its range. */
async function requireAll(send: Send, query: string, rows: number): Promise<void> {
  const overview = await send<Overview>('GET', `/analytics/overview?${query}`);
  for (const [name, { totals }] of Object.entries({ year: overview, 'year before': overview.previous })) {
    const orders = totals.sales.reduce((sum, { orders_count }) => sum + orders_count, 0);
    if (orders < rows * 0.99) throw new Error(`The ${name} has ${orders} of ${rows} orders`);
  }
}

async function median(send: Send, path: string): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < WARM_UP + READS; n += 1) {
    const began = performance.now();
    await send('GET', path);
    if (n >= WARM_UP) times.push(performance.now() - began);
  }
  return times.toSorted((a, b) => a - b)[READS / 2]!;
}
