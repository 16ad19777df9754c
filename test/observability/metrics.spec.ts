import { eventually } from '@lyceum/testing';
import { DASHBOARDS } from '../manifests/dashboards.ts';
import { ruleGroups } from '../manifests/prometheus-rules.ts';
import { systemStack } from '../stack/system-stack.js';
import { faultsOf, readSeries } from './exposition.ts';
import type { Series } from './exposition.ts';
import { hasPrometheus, startPrometheus } from './prometheus.ts';
import { INVENTED, sendInventedValues } from './invented-values.ts';
import { requestEach, tokensOf } from './requests.ts';
import type { Tokens } from './requests.ts';

/** Series of Prometheus itself, with the labels of the ServiceMonitor. */
const OF_PROMETHEUS = ['auth', 'admin-api', 'member-api', 'mcp-gateway'].map((job) => ({
  namespace: 'lyceum',
  job,
  component: 'http',
}));
/** More values of one label mean values of callers. The label with the patterns of the routes has the most. */
const VALUES_OF_A_LABEL = 1_000;
const ROUNDS = 100;
/** Parts of the values in `sendInventedValues`: names, identifiers, addresses. */
const OF_CALLERS = new RegExp(`${INVENTED}|[0-9a-f]{8}-[0-9a-f]{4}|2001:db8`);

const rules = ruleGroups().flatMap((group) => group.rules);
const panels = DASHBOARDS.flatMap(({ title, rows }) =>
  Object.values(rows)
    .flat()
    .flatMap((panel) =>
      Object.values(panel.queries).map(
        (query) => [`${title}: ${panel.title}`, query.replaceAll('$__rate_interval', '1m')] as const,
      ),
    ),
);

/** The values of each label of a metric. How many series they make depends on what other suites have sent. */
function valuesOf(all: readonly Readonly<Record<string, string>>[]): ReadonlyMap<string, ReadonlySet<string>> {
  const values = new Map<string, Set<string>>();
  for (const [label, value] of all.flatMap((labels) => Object.entries(labels)))
    values.set(label, (values.get(label) ?? new Set()).add(value));
  return values;
}

describe('the metrics of the running stack', () => {
  const stack = systemStack();
  const site = stack.sites[0]!;
  let tokens: Tokens;
  let series: Series;

  async function exposedSeries(): Promise<Series> {
    const texts = stack.services.map(async ({ name, management_url }) => {
      return [name, await (await fetch(`${management_url}/metrics`)).text()] as const;
    });
    return readSeries(Object.fromEntries(await Promise.all(texts)));
  }

  beforeAll(async () => {
    tokens = await tokensOf(site);
    expect(await requestEach(site, tokens)).toEqual([200, 200, 200, 200, 200]);
    const recorded = rules.flatMap(({ record, labels = {} }) =>
      record === undefined ? [] : [[record, [{ namespace: '', slo: '', job: '', ...labels }]] as const],
    );
    series = new Map([...(await exposedSeries()), ...recorded, ['up', OF_PROMETHEUS] as const]);
  });

  it('contains the metrics of each rule', () => {
    expect(rules.length).toBeGreaterThan(30);
    const faults = rules.map(({ alert, record, expr }) => [alert ?? record, faultsOf(expr, series)] as const);
    expect(faults.filter(([, found]) => found.length > 0)).toEqual([]);
  });

  it('contains the metrics and labels of each panel', () => {
    expect(panels.length).toBeGreaterThan(80);
    const faults = panels.map(([title, query]) => [title, faultsOf(query, series)] as const);
    expect(faults.filter(([, found]) => found.length > 0)).toEqual([]);
  });

  it('labels requests with the patterns of routes, and calls with the names of tools', () => {
    const routes = series.get('http_server_request_duration_seconds_count')!.map(({ route }) => route);
    expect(routes).toContain('/api/v1/courses');
    expect(routes.filter((route) => /[0-9a-f]{8}-|\?|@/.test(route ?? ''))).toEqual([]);
    const called = series.get('tool_call_duration_seconds_count')!.map(({ tool }) => tool);
    expect(called).toEqual(expect.arrayContaining(['browse_catalog', 'my_courses']));
  });

  it('keeps the values of callers out of the labels', async () => {
    await sendInventedValues(stack.services, site, tokens, ROUNDS);
    const exposed = await exposedSeries();
    const labels = new Set([...exposed.values()].flat().flatMap((one) => Object.values(one)));
    expect([...labels].filter((label) => OF_CALLERS.test(label))).toEqual([]);
    expect(exposed.size).toBeGreaterThan(80);
    const counts = [...exposed].flatMap(([metric, all]) =>
      [...valuesOf(all)].map(([label, values]) => [metric, label, values.size] as const),
    );
    expect(counts.map(([, label]) => label)).toEqual(expect.arrayContaining(['route', 'tool']));
    expect(counts.filter(([, , count]) => count > VALUES_OF_A_LABEL)).toEqual([]);
  });

  const withPrometheus = hasPrometheus ? it : it.skip;
  withPrometheus('returns series for the query of each panel in Prometheus', async () => {
    const targets = stack.services.map(({ name, management_url }) => [name, management_url] as const);
    const prometheus = await startPrometheus(Object.fromEntries(targets));
    try {
      let open = panels;
      await eventually(
        async () => {
          await requestEach(site, tokens);
          const counts = await Promise.all(open.map(([, query]) => prometheus.seriesOf(query)));
          open = open.filter((_, index) => counts[index] === 0);
          return open;
        },
        ({ length }) => length === 0,
        120_000,
      );
      expect(open).toEqual([]);
    } finally {
      await prometheus.stop();
    }
  });
});
