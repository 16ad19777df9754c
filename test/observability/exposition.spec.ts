import { faultsOf, readSeries } from './exposition.ts';
import { groupingLabels, selectorsOf, withMatcher } from './promql.ts';

describe('the names in PromQL', () => {
  it('finds metrics with their matchers, and neither functions nor labels nor durations', () => {
    const expression = `topk(10, histogram_quantile(0.95, sum by (le, route) (rate(a_bucket{job="x", status=~"5.."}[5m]))))
      or 0 * b:rate5m offset 1h unless on (slo) group_left () c{d!="e{f"} > bool 14.4`;
    expect(selectorsOf(expression).map(({ metric }) => metric)).toEqual(['a_bucket', 'b:rate5m', 'c']);
    expect(selectorsOf(expression)[0]?.matchers).toEqual([
      { label: 'job', operator: '=', value: 'x' },
      { label: 'status', operator: '=~', value: '5..' },
    ]);
    expect(groupingLabels(expression)).toEqual(['le', 'route']);
  });

  it.each([
    ['min by (job) (a)', 'min by (job) (a{n="x"})'],
    ['a:b / on (slo) group_left () c > 0.5', 'a:b{n="x"} / on (slo) group_left () c{n="x"} > 0.5'],
    ['sum(rate(a{b=~"c|d"}[5m])) or 0 * sum(a)', 'sum(rate(a{b=~"c|d", n="x"}[5m])) or 0 * sum(a{n="x"})'],
    ['topk(10, sum by (le) (rate(a{}[$__rate_interval])))', 'topk(10, sum by (le) (rate(a{n="x"}[$__rate_interval])))'],
  ])('adds a matcher to each selector of %s', (expression, expected) => {
    expect(withMatcher(expression, 'n="x"')).toBe(expected);
  });
});

describe('the comparison with what services expose', () => {
  const series = readSeries({
    auth: '# HELP a Text\n# TYPE a counter\na{status="200",service="auth"} 1\nb 2.5e-3\n',
    'admin-api': 'a{status="500",route="/x/{id}"} 0\n',
  });

  it.each([
    'rate(a[5m])',
    'sum by (status) (a{job="auth"})',
    'sum by (route) (a{job="admin-api", status="500"})',
    'a{status=~"4.."} + b{job!="x"}',
  ])('accepts %s', (expression) => {
    expect(faultsOf(expression, series)).toEqual([]);
  });

  it.each([
    ['rate(c[5m])', 'no series: c{}'],
    ['a{job="auth", status="500"}', 'no series: a{job="auth", status="500"}'],
    ['b{code=~"x"}', 'no series: b{code=~"x"}'],
    ['sum by (code) (b)', 'no label: code'],
  ])('finds the fault of %s', (expression, fault) => {
    expect(faultsOf(expression, series)).toEqual([fault]);
  });
});
