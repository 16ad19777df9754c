import type { CohortRow, MembershipRow, SalesRow } from './figures.js';
import { cohortsOf, membershipsOf, salesOf } from './figures.policy.js';
import type { Section } from './figures.policy.js';
import type { Days } from './periods.policy.js';
import { ATTENDANCE_SUMS, ENROLLMENT_SUMS, SALES_SUMS } from './rollup.sums.js';

/** Tables of the figures, by the columns of their rows. Definitions: docs/operate/exports.md. */
export const TABLES = {
  revenue: ['from', 'to', 'currency', ...SALES_SUMS, 'net_minor'],
  funnel: ['from', 'to', ...ENROLLMENT_SUMS, 'start_rate', 'completion_rate'],
  memberships: [
    'from',
    'to',
    'currency',
    'active_at_start_count',
    'started_count',
    'ended_count',
    'active_count',
    'churn_rate',
    'mrr_minor',
  ],
  cohorts: ['cohort', 'month', 'started_count', 'active_count'],
  attendance: ['from', 'to', ...ATTENDANCE_SUMS, 'attendance_rate'],
} as const;
export type TableName = keyof typeof TABLES;

/** A row of a table: its columns with their values, in their order. */
export type TableRow = Readonly<Record<string, string | number | null>>;

const NO_SALES = { ...Object.fromEntries(SALES_SUMS.map((sum) => [sum, 0])), net_minor: 0 };

/** Returns the sales of each period, in each currency of the range. */
export function revenueTable(rows: readonly SalesRow[], periods: readonly Days[]): TableRow[] {
  const section = salesOf(rows, periods.length);
  return rowsOf(section, periods, (sales) =>
    section.totals.map(({ currency }) => ({
      currency,
      ...NO_SALES,
      ...sales.find((one) => one.currency === currency),
    })),
  );
}

/** Returns the counts of each period, which have no currency. */
export function countTable(section: Section<object>, periods: readonly Days[]): TableRow[] {
  return rowsOf(section, periods, (counts) => [counts as TableRow]);
}

/** Returns the subscriptions of each period, by currency. Each period has all currencies of the range. */
export function membershipTable(rows: readonly MembershipRow[], periods: readonly Days[]): TableRow[] {
  const byCurrency = [...Map.groupBy(rows, ({ currency }) => currency)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, own]) => ({ currency, figures: membershipsOf(own, periods.length).periods }));
  return periods.flatMap(({ from, to }, index) =>
    byCurrency.flatMap(({ currency, figures }) =>
      figures.slice(index, index + 1).map(({ mrr, ...counts }) => ({
        from,
        to,
        currency,
        ...counts,
        mrr_minor: mrr.reduce((sum, { amount_minor }) => sum + amount_minor, 0),
      })),
    ),
  );
}

/** Returns each cohort at the end of its month and of each later one. */
export function cohortTable(rows: readonly CohortRow[], months: readonly string[]): TableRow[] {
  return cohortsOf(rows, months).flatMap(({ month: cohort, started_count, active_counts }, index) =>
    months.slice(index).map((month, age) => ({ cohort, month, started_count, active_count: active_counts[age] ?? 0 })),
  );
}

function rowsOf<Figures>(
  { periods: figures }: Section<Figures>,
  periods: readonly Days[],
  rows: (figures: Figures) => readonly TableRow[],
): TableRow[] {
  return periods.flatMap(({ from, to }, index) =>
    figures.slice(index, index + 1).flatMap((one) => rows(one).map((row) => ({ from, to, ...row }))),
  );
}
