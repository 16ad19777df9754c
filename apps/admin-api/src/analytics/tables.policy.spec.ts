import { cohortTable, countTable, membershipTable, revenueTable } from './tables.policy.js';

const PERIODS = [
  { from: '2026-11-01', to: '2026-11-01' },
  { from: '2026-11-02', to: '2026-11-02' },
];
const NO_SALES = { orders_count: 0, gross_minor: 0, discount_minor: 0, tax_minor: 0, refunds_count: 0 };

it('writes a row for each period and each currency of the range', () => {
  const sale = { ...NO_SALES, refunded_minor: 0, orders_count: 1, gross_minor: 5 };
  const refund = { ...NO_SALES, refunds_count: 1, refunded_minor: 3 };
  const rows = [
    { period: 1, currency: 'USD', ...sale },
    { period: 2, currency: 'JPY', ...refund },
  ];
  expect(revenueTable(rows, PERIODS)).toEqual([
    { ...PERIODS[0], currency: 'JPY', ...NO_SALES, refunded_minor: 0, net_minor: 0 },
    { ...PERIODS[0], currency: 'USD', ...sale, net_minor: 5 },
    { ...PERIODS[1], currency: 'JPY', ...refund, net_minor: -3 },
    { ...PERIODS[1], currency: 'USD', ...NO_SALES, refunded_minor: 0, net_minor: 0 },
  ]);
  expect(revenueTable([], PERIODS)).toEqual([]);
});

it('writes one row for each period of counts', () => {
  const section = { totals: {}, periods: [{ enrolled_count: 1 }, { enrolled_count: 0 }] };
  expect(countTable(section, PERIODS)).toEqual([
    { ...PERIODS[0], enrolled_count: 1 },
    { ...PERIODS[1], enrolled_count: 0 },
  ]);
});

it('counts subscriptions by currency', () => {
  const row = (period: number, currency: string, started: number, ended: number) => ({
    period,
    currency,
    started_count: started,
    started_minor: started * 100,
    ended_count: ended,
    ended_minor: ended * 100,
  });
  const rows = membershipTable([row(0, 'USD', 2, 0), row(1, 'USD', 0, 2), row(2, 'TWD', 3, 0)], PERIODS);
  expect(rows.map((one) => Object.values(one).slice(2))).toEqual([
    ['TWD', 0, 0, 0, 0, null, 0],
    ['USD', 2, 0, 2, 0, 1, 0],
    ['TWD', 0, 3, 0, 3, null, 300],
    ['USD', 0, 0, 0, 0, null, 0],
  ]);
});

it('writes a row for each cohort and each of its months', () => {
  const rows = [
    { started: 1, ended: 2, subscriptions_count: 1 },
    { started: 1, ended: 3, subscriptions_count: 4 },
  ];
  expect(cohortTable(rows, ['2026-11', '2026-12'])).toEqual([
    { cohort: '2026-11', month: '2026-11', started_count: 5, active_count: 5 },
    { cohort: '2026-11', month: '2026-12', started_count: 5, active_count: 4 },
    { cohort: '2026-12', month: '2026-12', started_count: 0, active_count: 0 },
  ]);
});
