import type { AttendanceRow, CohortRow, FunnelRow, MembershipRow, SalesRow } from './figures.js';
import { ATTENDANCE_SUMS, ENROLLMENT_SUMS, SALES_SUMS } from './rollup.sums.js';

/** A section of a report: the figures of the whole range, and of each period. */
export interface Section<Figures> {
  readonly totals: Figures;
  readonly periods: readonly Figures[];
}

interface Sales extends Omit<SalesRow, 'period'> {
  readonly net_minor: number;
}

interface Funnel extends Omit<FunnelRow, 'period'> {
  readonly start_rate: number | null;
  readonly completion_rate: number | null;
}

interface Memberships {
  readonly active_at_start_count: number;
  readonly started_count: number;
  readonly ended_count: number;
  readonly active_count: number;
  readonly churn_rate: number | null;
  readonly mrr: readonly { readonly amount_minor: number; readonly currency: string }[];
}

interface Attendance extends Omit<AttendanceRow, 'period'> {
  readonly attendance_rate: number | null;
}

interface Cohort {
  readonly month: string;
  readonly started_count: number;
  /** How many were active at the end of the month, and of each later one. */
  readonly active_counts: readonly number[];
}

/** Rows of a range, and of the range before as one period. */
interface ComparedRows<R> {
  readonly rows: readonly R[];
  readonly previous: readonly R[];
}

/** Divides rows whose first period is the whole range before. It is the time before the first period of the range. */
export function comparedOf<R extends { readonly period: number }>(all: readonly R[]): ComparedRows<R> {
  return {
    rows: all.map((row) => ({ ...row, period: Math.max(row.period - 1, 0) })),
    previous: all.filter(({ period }) => period <= 1),
  };
}

/** A part of a whole, to four decimals. Null: the whole is 0. */
export function rateOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}

/** Returns the sales by currency. A currency stands where it has sales or refunds, in one row of each period. */
export function salesOf(rows: readonly SalesRow[], periods: number): Section<readonly Sales[]> {
  const sales = (currency: string, sums: Omit<SalesRow, 'period' | 'currency'>): Sales => ({
    currency,
    ...sums,
    net_minor: sums.gross_minor - sums.refunded_minor,
  });
  const byCurrency = within(rows).toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
  const byPeriod = Map.groupBy(byCurrency, ({ period }) => period);
  const totals = [...Map.groupBy(byCurrency, ({ currency }) => currency)].map(([currency, of]) =>
    sales(currency, sumsOf(of, SALES_SUMS)),
  );
  const ofPeriod = (period: number): Sales[] =>
    (byPeriod.get(period) ?? []).map((row) => sales(row.currency, sumsOf([row], SALES_SUMS)));
  return { totals, periods: numbered(periods).map(ofPeriod) };
}

export function funnelOf(rows: readonly FunnelRow[], periods: number): Section<Funnel> {
  return section(rows, periods, (some) => {
    const sums = sumsOf(some, ENROLLMENT_SUMS);
    return {
      ...sums,
      start_rate: rateOf(sums.started_count, sums.enrolled_count),
      completion_rate: rateOf(sums.completed_count, sums.enrolled_count),
    };
  });
}

export function attendanceOf(rows: readonly AttendanceRow[], periods: number): Section<Attendance> {
  return section(rows, periods, (some) => {
    const sums = sumsOf(some, ATTENDANCE_SUMS);
    return { ...sums, attendance_rate: rateOf(sums.attended_count, sums.registered_count) };
  });
}

/** Adds the starts and takes off the ends of each period. The rows of period 0 lead to its beginning. */
export function membershipsOf(rows: readonly MembershipRow[], periods: number): Section<Memberships> {
  const active = new Map<string, { count: number; minor: number }>();
  const apply = (row: MembershipRow): void => {
    const { count, minor } = active.get(row.currency) ?? { count: 0, minor: 0 };
    active.set(row.currency, {
      count: count + row.started_count - row.ended_count,
      minor: minor + row.started_minor - row.ended_minor,
    });
  };
  const byPeriod = Map.groupBy(rows, ({ period }) => period);
  for (const row of byPeriod.get(0) ?? []) apply(row);
  const countActive = (): number => [...active.values()].reduce((sum, { count }) => sum + count, 0);
  const figures = (some: readonly MembershipRow[], active_at_start_count: number): Memberships => {
    const { started_count, ended_count } = sumsOf(some, ['started_count', 'ended_count']);
    return {
      active_at_start_count,
      started_count,
      ended_count,
      active_count: countActive(),
      churn_rate: rateOf(ended_count, active_at_start_count),
      mrr: [...active]
        .filter(([, { count }]) => count > 0)
        .map(([currency, { minor }]) => ({ amount_minor: minor, currency }))
        .toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
    };
  };
  const opening = countActive();
  const all = numbered(periods).map((period) => {
    const before = countActive();
    const of = byPeriod.get(period) ?? [];
    for (const row of of) apply(row);
    return figures(of, before);
  });
  return { totals: figures(within(rows), opening), periods: all };
}

/** Returns how many subscriptions of each month of start were active at the ends of this month and of later ones. */
export function cohortsOf(rows: readonly CohortRow[], months: readonly string[]): readonly Cohort[] {
  return months.map((month, index) => {
    const started = rows.filter((row) => row.started === index + 1);
    const count = (some: readonly CohortRow[]): number =>
      some.reduce((sum, { subscriptions_count }) => sum + subscriptions_count, 0);
    const ends = numbered(months.length).slice(index);
    return {
      month,
      started_count: count(started),
      active_counts: ends.map((end) => count(started.filter(({ ended }) => ended > end))),
    };
  });
}

const within = <R extends { readonly period: number }>(rows: readonly R[]): R[] =>
  rows.filter(({ period }) => period > 0);
const numbered = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

function section<R extends { readonly period: number }, Figures>(
  rows: readonly R[],
  periods: number,
  figures: (rows: readonly R[]) => Figures,
): Section<Figures> {
  const byPeriod = Map.groupBy(rows, ({ period }) => period);
  return {
    totals: figures(within(rows)),
    periods: numbered(periods).map((period) => figures(byPeriod.get(period) ?? [])),
  };
}

/** Sums end at the largest exact integer of JSON. */
function sumsOf<const Name extends string>(
  rows: readonly { readonly [name in Name]: number }[],
  names: readonly Name[],
): Record<Name, number> {
  const sum = (name: Name): number =>
    Math.min(
      rows.reduce((total, row) => total + row[name], 0),
      Number.MAX_SAFE_INTEGER,
    );
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as Record<Name, number>;
}
