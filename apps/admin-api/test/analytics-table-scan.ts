import type { TableName } from '#src/analytics/tables.policy.js';
import type { AnalyticsScan, Days } from './analytics-scan.js';

const NONE = { orders_count: 0, gross_minor: 0, discount_minor: 0, tax_minor: 0 };
const NO_SALES = { ...NONE, refunds_count: 0, refunded_minor: 0, net_minor: 0 };

/** The tables of a range by a plain scan of the rows. */
export function scannedTables(
  scan: AnalyticsScan,
  range: Days,
  periods: readonly Days[],
): Readonly<Record<TableName, readonly object[]>> {
  const rows = (of: (period: Days) => readonly object[]): readonly object[] =>
    periods.flatMap(({ from, to }) => of({ from, to }).map((row) => ({ from, to, ...row })));
  const cohorts = scan.cohorts(range);
  return {
    revenue: rows((period) =>
      scan.sales(range).map(({ currency }) => {
        const sales = scan.sales(period).find((one) => one.currency === currency);
        return { currency, ...NO_SALES, ...sales };
      }),
    ),
    funnel: rows((period) => [scan.funnel(period)]),
    memberships: rows((period) =>
      scan.currencies(range.to).map((currency) => {
        const { mrr, ...counts } = scan.memberships(period, currency);
        return { currency, ...counts, mrr_minor: mrr[0]?.amount_minor ?? 0 };
      }),
    ),
    cohorts: cohorts.flatMap(({ month: cohort, started_count, active_counts }, index) =>
      active_counts.map((active_count, age) => ({
        cohort,
        month: cohorts[index + age]?.month,
        started_count,
        active_count,
      })),
    ),
    attendance: rows((period) => [scan.attendance(period)]),
  };
}
