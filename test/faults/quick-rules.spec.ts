import { ruleGroups } from '../manifests/prometheus-rules.js';
import { quickRules } from './quick-rules.js';

it('shortens windows, delays and ages, and changes nothing else', () => {
  const group = (expr: string) => [{ name: 'one', rules: [{ alert: 'One', expr, for: '5m' }] }];
  const of = (expr: string) => quickRules(group(expr))[0]!.rules[0];
  expect(of('sum(rate(a_total[5m])) > 0.01')).toEqual({
    alert: 'One',
    expr: 'sum(rate(a_total[10s])) > 0.01',
    for: '2s',
  });
  expect(of('max by (job) (jobs_oldest_seconds) > 600\n')?.expr).toBe('max by (job) (jobs_oldest_seconds) > 3');
  expect(of('max(a_seconds{lane="healthy"}) > 600')?.expr).toBe('max(a_seconds{lane="healthy"}) > 3');
  expect(of('max(nodejs_eventloop_lag_p99_seconds) > 0.2')?.expr).toBe('max(nodejs_eventloop_lag_p99_seconds) > 0.2');
});

it('finds the times of all rules', () => {
  const rules = quickRules(ruleGroups()).flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(30);
  expect(rules.filter((rule) => /\[\d+[mhd]\]|_seconds\) > \d{2}/.test(rule.expr)).map(({ expr }) => expr)).toEqual([]);
});
