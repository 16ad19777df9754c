import { ruleGroups } from '../../manifests/prometheus-rules.js';
import { notWalked } from './walked-rules.js';

const rules = [
  { expr: 'up', record: 'slo:burn_rate:5m' },
  { expr: 'up == 0', alert: 'Down', annotations: { runbook_url: 'docs/runbooks/down.md' } },
  { expr: 'burn', alert: 'Burns', annotations: { runbook_url: 'docs/runbooks/slo-{{ $labels.slo }}.md' } },
];
const runbooks = ['down.md', 'slo-latency.md', 'slo-tools.md'];

describe('the alerts without a walk', () => {
  it('counts every alert and runbook without walks', () => {
    expect(notWalked(rules, runbooks, [])).toEqual({ alerts: ['Down', 'Burns'], runbooks });
  });

  it('requires a walk for each objective', () => {
    const walked = ['Down', 'Burns{slo="tools"}'];
    expect(notWalked(rules, runbooks, walked)).toEqual({ alerts: [], runbooks: ['slo-latency.md'] });
    expect(notWalked(rules, runbooks, [...walked, 'Burns{slo="latency"}']).runbooks).toEqual([]);
  });

  it('follows no runbook by an alert that does not exist', () => {
    expect(notWalked(rules, runbooks, ['Up']).runbooks).toEqual(runbooks);
  });

  it('finds the alerts of the repository', () => {
    const { alerts } = notWalked(
      ruleGroups().flatMap((group) => group.rules),
      [],
      ['ServiceDown{component="http"}'],
    );
    expect(alerts).toContain('JobsNotMoving');
    expect(alerts).not.toContain('ServiceDown');
  });
});
