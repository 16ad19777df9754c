import { attendanceOf, cohortsOf, comparedOf, funnelOf, membershipsOf, rateOf, salesOf } from './figures.policy.js';

const sale = (period: number, currency: string, gross_minor: number, refunded_minor = 0) => ({
  period,
  currency,
  orders_count: 1,
  gross_minor,
  discount_minor: 0,
  tax_minor: 0,
  refunds_count: refunded_minor > 0 ? 1 : 0,
  refunded_minor,
});
const change = (period: number, started: number, ended: number, currency = 'TWD') => ({
  period,
  currency,
  started_count: started,
  started_minor: started * 100,
  ended_count: ended,
  ended_minor: ended * 100,
});

it('sums sales by currency, with a net that may be negative', () => {
  const { totals, periods } = salesOf([sale(1, 'USD', 5), sale(1, 'JPY', 100), sale(3, 'USD', 0, 7)], 3);
  expect(totals).toMatchObject([
    { currency: 'JPY', orders_count: 1, net_minor: 100 },
    { currency: 'USD', orders_count: 2, gross_minor: 5, refunded_minor: 7, net_minor: -2 },
  ]);
  expect(periods.map((sales) => sales.map(({ currency, net_minor }) => [currency, net_minor]))).toEqual([
    [
      ['JPY', 100],
      ['USD', 5],
    ],
    [],
    [['USD', -7]],
  ]);
});

it('ends sums at the largest exact integer', () => {
  const [sales] = salesOf([sale(1, 'IDR', Number.MAX_SAFE_INTEGER), sale(2, 'IDR', 1)], 2).totals;
  expect(sales?.gross_minor).toBe(Number.MAX_SAFE_INTEGER);
});

it.each([
  [1, 3, 0.3333],
  [2, 3, 0.6667],
  [0, 3, 0],
  [3, 2, 1.5],
  [0, 0, null],
])('rounds %s of %s', (part, whole, rate) => {
  expect(rateOf(part, whole)).toBe(rate);
});

it('rates the steps of a funnel by its first step', () => {
  const { totals, periods } = funnelOf([{ period: 2, enrolled_count: 4, started_count: 3, completed_count: 1 }], 2);
  expect(totals).toMatchObject({ enrolled_count: 4, start_rate: 0.75, completion_rate: 0.25 });
  expect(periods[0]).toMatchObject({ enrolled_count: 0, start_rate: null, completion_rate: null });
});

it('rates attendance by the registrations that have a place', () => {
  const counts = { events_count: 1, registered_count: 4, attended_count: 1, missed_count: 2 };
  const { totals } = attendanceOf([{ period: 1, ...counts, waitlisted_count: 5, canceled_count: 6 }], 1);
  expect(totals).toMatchObject({ attendance_rate: 0.25, waitlisted_count: 5 });
});

it('carries active subscriptions from period to period', () => {
  const rows = [change(0, 10, 4), change(1, 2, 3), change(3, 1, 0, 'USD')];
  const { totals, periods } = membershipsOf(rows, 3);
  expect(periods.map((one) => [one.active_at_start_count, one.active_count, one.churn_rate])).toEqual([
    [6, 5, 0.5],
    [5, 5, 0],
    [5, 6, 0],
  ]);
  expect(periods[2]?.mrr).toEqual([
    { currency: 'TWD', amount_minor: 500 },
    { currency: 'USD', amount_minor: 100 },
  ]);
  expect(totals).toMatchObject({ active_at_start_count: 6, started_count: 3, ended_count: 3, active_count: 6 });
});

it('shows no revenue of a currency without active subscriptions', () => {
  expect(membershipsOf([change(0, 1, 0), change(1, 0, 1)], 1).totals).toMatchObject({ mrr: [], churn_rate: 1 });
});

it('follows a cohort until the last month', () => {
  const row = (started: number, ended: number, subscriptions_count: number) => ({
    started,
    ended,
    subscriptions_count,
  });
  expect(cohortsOf([row(1, 1, 1), row(1, 2, 2), row(1, 4, 4), row(3, 3, 1)], ['a', 'b', 'c'])).toEqual([
    { month: 'a', started_count: 7, active_counts: [6, 4, 4] },
    { month: 'b', started_count: 0, active_counts: [0, 0] },
    { month: 'c', started_count: 1, active_counts: [0] },
  ]);
});

describe('a comparison', () => {
  it('takes the first period as the range before', () => {
    const { rows, previous } = comparedOf([sale(1, 'TWD', 5), sale(2, 'TWD', 100), sale(3, 'TWD', 7)]);
    const { totals, periods } = salesOf(rows, 2);
    expect(totals).toMatchObject([{ orders_count: 2, gross_minor: 107 }]);
    expect(periods).toMatchObject([[{ gross_minor: 100 }], [{ gross_minor: 7 }]]);
    expect(salesOf(previous, 1).totals).toMatchObject([{ orders_count: 1, gross_minor: 5 }]);
  });

  it('begins with the subscriptions that the range before leaves', () => {
    const { rows, previous } = comparedOf([change(0, 10, 4), change(1, 2, 3), change(2, 1, 0)]);
    expect(membershipsOf(rows, 1).totals).toMatchObject({
      active_at_start_count: 5,
      started_count: 1,
      active_count: 6,
    });
    expect(membershipsOf(previous, 1).totals).toMatchObject({
      active_at_start_count: 6,
      ended_count: 3,
      active_count: 5,
    });
  });
});
