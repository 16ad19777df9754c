import fc from 'fast-check';
import { REPORTS } from '#src/analytics/analytics.schema.js';
import type { ReportName } from '#src/analytics/analytics.schema.js';
import { TABLES } from '#src/analytics/tables.policy.js';
import type { TableName } from '#src/analytics/tables.policy.js';
import { GRANULARITIES } from '#src/analytics/periods.policy.js';
import { AnalyticsRows } from './analytics-rows.js';
import { AnalyticsScan } from './analytics-scan.js';
import { EVERYTHING, FIRST_DAY, later, steps } from './analytics-steps.js';
import { scannedTables } from './analytics-table-scan.js';
import { AnalyticsTarget } from './analytics-target.js';

const ZONES = ['UTC', 'Asia/Taipei', 'Asia/Kathmandu', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Kiritimati'];

let target: AnalyticsTarget;
beforeAll(async () => {
  target = await AnalyticsTarget.open();
});
afterAll(() => target?.close());

const question = fc.record({
  day: fc.integer({ min: -5, max: 150 }),
  days: fc.constantFrom(1, 20, 60, 366),
  granularity: fc.constantFrom(...GRANULARITIES),
  timezone: fc.constantFrom(...ZONES),
});

type Question = typeof question extends fc.Arbitrary<infer Asked> ? Asked : never;

/** Compares all reports and tables with a scan of the rows. */
async function compare(rows: AnalyticsRows, { day, days, ...asked }: Question): Promise<void> {
  const name = (after: number): string => later(new Date(FIRST_DAY), after).toISOString().slice(0, 10);
  const range = { from: name(day), to: name(day + days - 1) };
  const before = { from: name(day - days), to: name(day - 1) };
  const scan = await AnalyticsScan.of(rows, asked.timezone);
  const expected = (sections: readonly string[], of: { from: string; to: string }): object =>
    Object.fromEntries(sections.map((section) => [section, scan[section as 'sales'](of)]));
  for (const [report, sections] of Object.entries(REPORTS)) {
    const compared = { ...range, ...asked, compare: 'previous_period' };
    const shown = await target.read(rows.site_id, report as ReportName, compared);
    note(shown.totals);
    expect({ ...asked, previous: shown.previous?.totals }).toEqual({ ...asked, previous: expected(sections, before) });
    expect({ ...asked, ...shown.totals }).toEqual({ ...asked, ...expected(sections, range) });
    for (const { from: first, to: last, ...figures } of shown.periods) {
      expect({ first, ...figures }).toEqual({ first, ...expected(sections, { from: first, to: last }) });
    }
    if (report === 'memberships') expect(shown.cohorts).toEqual(scan.cohorts(range));
  }
  const { periods } = await target.read(rows.site_id, 'funnel', { ...range, ...asked });
  const tables = scannedTables(scan, range, periods);
  for (const [table, columns] of Object.entries(TABLES)) {
    const read = await target.table(rows.site_id, table as TableName, { ...range, ...asked });
    expect({ ...asked, [table]: read }).toEqual({ ...asked, [table]: tables[table as TableName] });
    for (const row of read) expect(Object.keys(row)).toEqual(columns);
  }
  const [course_id = ''] = rows.courses;
  const ofCourse = await target.read(rows.site_id, 'funnel', { ...range, ...asked, course_id });
  expect(ofCourse.totals).toEqual({ funnel: scan.funnel(range, course_id) });
}

const ALL_OF_IT: Question = { day: 14, days: 60, granularity: 'week', timezone: 'Asia/Taipei' };

/** All figures but discounts and taxes, which no row has. */
const FIGURES = [
  'active_at_start_count',
  'active_count',
  'amount_minor',
  'attendance_rate',
  'attended_count',
  'canceled_count',
  'churn_rate',
  'completed_count',
  'completion_rate',
  'ended_count',
  'enrolled_count',
  'events_count',
  'gross_minor',
  'missed_count',
  'net_minor',
  'orders_count',
  'refunded_minor',
  'refunds_count',
  'registered_count',
  'start_rate',
  'started_count',
  'waitlisted_count',
];

/** Figures that a comparison has found above 0. */
const seen = new Set<string>();
function note(figures: unknown): void {
  if (typeof figures !== 'object' || figures === null) return;
  for (const [name, value] of Object.entries(figures)) {
    if (typeof value === 'number' && value > 0) seen.add(name);
    note(value);
  }
}

it('shows what a scan of the rows shows', async () => {
  await fc.assert(
    fc.asyncProperty(steps, question, question, async (changes, first, second) => {
      const rows = await AnalyticsRows.open(target.database);
      await rows.plan('month', 1, 30_000, 'TWD');
      await rows.plan('year', 1, 99_999, 'TWD');
      await rows.plan('week', 2, 1_001, 'USD');
      await rows.plan('day', 3, 7, 'USD');
      await rows.plan('month', 1, 5_000, 'TWD', 'lifetime');
      const half = Math.ceil(changes.length / 2);
      for (const change of changes.slice(0, half)) await change(rows);
      await target.fold();
      await compare(rows, first);
      for (const change of changes.slice(half)) await change(rows);
      await target.fold();
      await compare(rows, second);
    }),
    { numRuns: 6, endOnFailure: true, examples: [[[...EVERYTHING], ALL_OF_IT, ALL_OF_IT]] },
  );
  // A comparison of nothing with nothing proves nothing.
  expect([...seen].toSorted()).toEqual(FIGURES);
});
