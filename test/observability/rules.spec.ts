import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IService } from 'kubernetes-models/v1/Service';
import { parse } from 'yaml';
import { ROOT } from '../manifests/generated.ts';
import { readGolden, selects, servers } from '../manifests/objects.ts';
import type { Manifests, Selector } from '../manifests/objects.ts';
import { RULE_FILES, ruleGroups } from '../manifests/prometheus-rules.ts';
import type { Rule, RuleGroup } from '../manifests/prometheus-rules.ts';
import { selectorsOf } from './promql.ts';

const FOLDER = join(ROOT, 'test/observability');
const RUNBOOKS = 'docs/runbooks';
const RUNBOOK_LINES = 40;
const SECTIONS = ['## For callers', '## See it', '## Mend it', '## It is over'];

const rules = ruleGroups().flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);
const objectives = [
  ...new Set(rules.flatMap(({ record, labels }) => (record === undefined ? [] : (labels?.['slo'] ?? [])))),
];

/** An alert of objectives has a runbook for each objective. */
function runbooksOf({ annotations }: Rule): string[] {
  const template = annotations?.['runbook_url'] ?? '';
  const slo = '{{ $labels.slo }}';
  return template.includes(slo) ? objectives.map((name) => template.replace(slo, name)) : [template];
}

function faultsOf(alert: Rule): string[] {
  const { labels, annotations } = alert;
  return [
    ...(['critical', 'warning'].includes(labels?.['severity'] ?? '') ? [] : ['severity']),
    ...((annotations?.['summary'] ?? '').trim() === '' ? ['summary'] : []),
    ...runbooksOf(alert).filter((file) => !file.startsWith(`${RUNBOOKS}/`) || !existsSync(join(ROOT, file))),
  ];
}

const named = new Set(alerts.flatMap(runbooksOf));
const files = readdirSync(join(ROOT, RUNBOOKS)).map((file) => `${RUNBOOKS}/${file}`);

describe('the alerts', () => {
  it('covers messaging, jobs, services and objectives', () => {
    expect(alerts.length).toBeGreaterThan(12);
    expect(objectives).toEqual(['availability', 'latency', 'tools', 'queries']);
  });

  it.each(alerts.map((alert) => [alert.alert, alert] as const))(
    'names the severity, a summary and an existing runbook: %s',
    (_name, alert) => {
      expect(faultsOf(alert)).toEqual([]);
    },
  );

  it('finds an alert without severity, summary or runbook', () => {
    expect(faultsOf({ alert: 'X', expr: 'up' })).toEqual(['severity', 'summary', '']);
    expect(
      faultsOf({
        alert: 'X',
        expr: 'up',
        labels: { severity: 'warning' },
        annotations: { summary: 'x', runbook_url: 'docs/runbooks/none.md' },
      }),
    ).toEqual(['docs/runbooks/none.md']);
  });

  it('follows the windows and factors of the workbook of site reliability', () => {
    const [fast, slow] = ['ErrorBudgetBurnsFast', 'ErrorBudgetBurnsSlowly'].map(
      (name) => alerts.find(({ alert }) => alert === name)?.expr ?? '',
    );
    const windows = (expr = ''): string[] =>
      [...expr.matchAll(/slo:burn_rate:(\w+) > ([\d.]+)/g)].map(([, window, factor]) => `${window} ${factor}`);
    expect(windows(fast)).toEqual(['5m 14.4', '1h 14.4', '30m 6', '6h 6']);
    expect(windows(slow)).toEqual(['6h 1', '3d 1']);
  });
});

interface ServiceMonitor {
  spec: {
    jobLabel: string;
    selector: Selector;
    endpoints: { relabelings?: { sourceLabels: string[]; targetLabel: string }[] }[];
  };
}

/** The labels that the operator of Prometheus adds to the metrics of each Deployment, as `<job> <component>`. */
function scrapedRoles(manifests: Manifests): string[] {
  const [monitor, ...others] = manifests.of<ServiceMonitor>('ServiceMonitor');
  expect(others).toEqual([]);
  const { jobLabel, selector, endpoints } = monitor!.spec;
  const source = endpoints[0]?.relabelings?.find(({ targetLabel }) => targetLabel === 'component')?.sourceLabels[0];
  const metaLabel = (label: string): string => `__meta_kubernetes_service_label_${label.replaceAll(/\W/g, '_')}`;
  const services = manifests
    .of<IService>('Service')
    .filter(({ metadata }) => selects(selector, metadata.labels ?? {}))
    .map(({ metadata, spec }) => ({ labels: Object.entries(metadata.labels ?? {}), pods: spec?.selector ?? {} }));
  return servers(manifests)
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ labels: own }) => {
      const labels = services.find(({ pods }) => selects({ matchLabels: pods }, own))?.labels ?? [];
      const valueOf = (isNamed: (label: string) => boolean) => labels.find(([label]) => isNamed(label))?.[1];
      return `${valueOf((label) => label === jobLabel)} ${valueOf((label) => metaLabel(label) === source)}`;
    })
    .toSorted();
}

/** The recorded series with one environment of the platform each. */
const ENVIRONMENT = 'platform:environment';

describe('ServiceDown', () => {
  it.each(['staging', 'prod'] as const)(
    'notices each Deployment of %s that is not scraped, by the labels of its ServiceMonitor',
    (overlay) => {
      const noticed = rules
        .filter(({ record }) => record === 'platform:role')
        .map(({ labels }) => `${labels?.['job']} ${labels?.['component']}`);
      expect(noticed).toHaveLength(6);
      expect(scrapedRoles(readGolden(overlay))).toEqual(noticed.toSorted());
    },
  );

  it.each(['staging', 'prod'] as const)('looks for the roles of %s in its own namespace alone', (overlay) => {
    const { metadata, spec } = readGolden(overlay).get<{ spec: { groups: readonly RuleGroup[] } }>(
      'PrometheusRule',
      'alerts',
    );
    const recorded = spec.groups.flatMap((group) => group.rules).filter(({ record }) => record === ENVIRONMENT);
    expect(recorded).toEqual([{ record: ENVIRONMENT, expr: 'vector(1)', labels: { namespace: metadata.namespace } }]);
  });
});

describe('the runbooks', () => {
  it.each(files)('belongs to an alert and has four sections in 40 lines at most: %s', (file) => {
    expect(named).toContain(file);
    const lines = readFileSync(join(ROOT, file), 'utf8').trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(RUNBOOK_LINES);
    expect(lines.filter((line) => line.startsWith('## '))).toEqual(SECTIONS);
  });
});

const CASE_FILES = ['alerts.test.yaml', 'slo.test.yaml'];

/** A test of `promtool`. Without `exp_alerts` the alert must not fire. */
interface RuleTest {
  readonly input_series: readonly { readonly series: string }[];
  readonly alert_rule_test?: readonly { readonly alertname: string; readonly exp_alerts?: readonly object[] }[];
}

const tests = CASE_FILES.flatMap(
  (file) => (parse(readFileSync(join(FOLDER, file), 'utf8')) as { tests: RuleTest[] }).tests,
);

/** The metrics of services from which the expression is computed. */
function metricsOf(expression: string): string[] {
  return selectorsOf(expression).flatMap(({ metric }) => {
    const recorded = rules.filter(({ record }) => record === metric);
    return recorded.length === 0 ? [metric] : recorded.flatMap(({ expr }) => metricsOf(expr));
  });
}

/** The cases that an alert lacks. A case without any series of the alert is none. */
function missingCases({ alert, expr }: Rule, from: readonly RuleTest[]): string[] {
  const metrics = new Set(metricsOf(expr));
  const cases = from
    .filter(({ input_series }) => input_series.some(({ series }) => metrics.has(series.split('{')[0]!)))
    .flatMap(({ alert_rule_test = [] }) => alert_rule_test)
    .filter(({ alertname }) => alertname === alert);
  const isFiring = ({ exp_alerts = [] }: (typeof cases)[number]): boolean => exp_alerts.length > 0;
  return [...(cases.some(isFiring) ? [] : ['firing']), ...(cases.every(isFiring) ? ['silent'] : [])];
}

describe('the cases of the alerts', () => {
  it.each(alerts.map((alert) => [alert.alert, alert] as const))('covers firing and silence: %s', (_name, alert) => {
    expect(missingCases(alert, tests)).toEqual([]);
  });

  it('finds an alert without a firing case, without a silent one, or without series', () => {
    const alert = { alert: 'X', expr: 'max by (job) (a) > 1' };
    const [silent, firing] = [{ alertname: 'X' }, { alertname: 'X', exp_alerts: [{}] }];
    const among = (series: string, ...alert_rule_test: object[]): RuleTest[] =>
      [{ input_series: [{ series }], alert_rule_test }] as RuleTest[];
    expect(missingCases(alert, among('a{job="x"}', silent, firing))).toEqual([]);
    expect(missingCases(alert, among('a{job="x"}', silent))).toEqual(['firing']);
    expect(missingCases(alert, among('a{job="x"}', firing))).toEqual(['silent']);
    expect(missingCases(alert, among('b{job="x"}', silent, firing))).toEqual(['firing', 'silent']);
  });
});

/** Debian has it in the package `prometheus`. */
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const withPromtool = hasPromtool ? it : it.skip;

function promtool(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: FOLDER, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

describe('promtool', () => {
  withPromtool('accepts the rules', () => {
    expect(promtool('check', 'rules', ...RULE_FILES)).toMatchObject({ status: 0 });
  });

  withPromtool('finds the alerts of planted failures, and none without them', () => {
    const { status, output } = promtool('test', 'rules', ...CASE_FILES);
    expect(output).not.toContain('FAILED');
    expect(status).toBe(0);
  });
});
